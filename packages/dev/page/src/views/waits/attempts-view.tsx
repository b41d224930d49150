import type { JSX } from "preact";
import type { Task, TaskInstanceDetail, Wait } from "../../../../src/api/types.ts";
import { waitBars } from "../../../../src/page-model/wait-bars.ts";
import { useNow } from "../../state/use-now.ts";
import { AttemptItem } from "./attempt-item.tsx";
import { AttemptsLine } from "./attempts-line.tsx";
import { WaitItem } from "./wait-item.tsx";
import { WaitLegend } from "./wait-legend.tsx";

/** The tries of a task and the waits between them, told and drawn; also the waits that would come. */
export function AttemptsView({
  instance,
  task,
}: {
  instance: TaskInstanceDetail;
  task: Task | undefined;
}): JSX.Element {
  const { attempts, waits, plannedWaits, endDate, state } = instance;
  const isWaiting = state === "up_for_retry";
  const now = useNow(endDate === null || isWaiting, 500);
  if (attempts.length === 0 && waits.length === 0 && plannedWaits.length === 0) {
    return (
      <p class="empty dim">
        Not tried yet. A task with <code>retries</code> shows here how long it waits between tries.
      </p>
    );
  }
  const all = [...waits, ...plannedWaits];
  const bars = new Map(waitBars(all).map((bar, index) => [all[index] as Wait, bar]));
  const delay = task?.retryDelaySeconds ?? 0;
  const waitsAfter = (tryNumber: number): readonly Wait[] =>
    waits.filter(({ afterTry }) => afterTry === tryNumber);
  const item = (wait: Wait, isPlanned: boolean): JSX.Element | null => {
    const bar = bars.get(wait);
    return bar === undefined ? null : (
      <WaitItem
        key={`wait ${wait.afterTry} ${wait.beganAt}`}
        {...{ wait, bar, isPlanned }}
        retryDelaySeconds={delay}
        nowMs={now}
      />
    );
  };
  return (
    <div class="attempts">
      <AttemptsLine attempts={attempts} waits={waits} nowMs={now} />
      {all.length > 0 && <WaitLegend />}
      <ol class="tries-list">
        {attempts.map((attempt) => (
          <>
            <AttemptItem key={attempt.attemptId} attempt={attempt} nowMs={now} />
            {waitsAfter(attempt.tryNumber).map((wait) => item(wait, false))}
          </>
        ))}
      </ol>
      {plannedWaits.length > 0 && (
        <>
          <h3>
            {attempts.length === 0
              ? "Waits, should it fail"
              : "Waits to come, should it fail again"}
          </h3>
          <ol class="tries-list planned">{plannedWaits.map((wait) => item(wait, true))}</ol>
        </>
      )}
    </div>
  );
}
