import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { RetryTask, TaskInstance } from "../../../../src/api/types.ts";
import { isOver } from "../../../../src/page-model/state-look.ts";
import { apiPath, postJson } from "../../client/request.ts";
import { note, noteError } from "../../state/announce.ts";

/** Ends a wait, or runs again what is over. */
export function RetryButton({ instance }: { instance: TaskInstance }): JSX.Element | null {
  const [isBusy, setIsBusy] = useState(false);
  const { dagId, runId, taskId, mapIndex, state } = instance;
  const isWaiting = state === "up_for_retry" || state === "up_for_reschedule";
  if (!isWaiting && !isOver(state)) return null;
  const retry = async (): Promise<void> => {
    setIsBusy(true);
    try {
      const body: RetryTask = { mapIndex };
      await postJson(apiPath("dags", dagId, "runs", runId, "tasks", taskId, "retry"), body);
      note(isWaiting ? `${taskId} does not wait any longer.` : `${taskId} is run again.`);
    } catch (error) {
      noteError(error);
    }
    setIsBusy(false);
  };
  return (
    <button type="button" disabled={isBusy} onClick={retry}>
      {isWaiting ? "Retry now" : "Run again"}
    </button>
  );
}
