import type { JSX } from "preact";
import type { DagDetail, RunDetail } from "../../../../src/api/types.ts";
import { durationText, elapsedSeconds } from "../../../../src/page-model/duration-text.ts";
import { toJsonNode } from "../../../../src/page-model/exact-json.ts";
import { plainLine, plainText } from "../../../../src/page-model/plain-text.ts";
import { apiPath, postJson } from "../../client/request.ts";
import { ClockTime } from "../../parts/clock-time.tsx";
import { Failure, Loading } from "../../parts/failure.tsx";
import { JsonTree } from "../../parts/json-tree.tsx";
import { Panel } from "../../parts/panel.tsx";
import { StateMark } from "../../parts/state-mark.tsx";
import { note, noteError } from "../../state/announce.ts";
import { useNow } from "../../state/use-now.ts";
import { useResource } from "../../state/use-resource.ts";
import { InstanceBars } from "./instance-bars.tsx";
import { patchRun } from "./patch-run.ts";

/** One run: when, with what, and its task instances on a line of time. */
export function RunPanel({ dag, runId }: { dag: DagDetail; runId: string }): JSX.Element {
  const { dagId } = dag;
  const path = apiPath("dags", dagId, "runs", runId);
  const {
    data: run,
    error,
    refresh,
  } = useResource<RunDetail>(path, (event, shown) => patchRun(event, shown));
  const now = useNow(run?.endDate === null);
  const act = async (what: "cancel" | "resume", told: string): Promise<void> => {
    try {
      await postJson(apiPath("dags", dagId, "runs", runId, what), {});
      note(told);
      refresh();
    } catch (thrown) {
      noteError(thrown);
    }
  };
  const seconds = run === undefined ? null : elapsedSeconds(run.startDate, run.endDate, now);
  return (
    <Panel
      title={<>Run {plainLine(runId)}</>}
      back={{ view: "dag", dagId, tab: "runs" }}
      actions={
        run !== undefined &&
        run.endDate === null && (
          <>
            {!run.isActive && (
              <button type="button" onClick={() => act("resume", "The run goes on.")}>
                Go on
              </button>
            )}
            {run.isActive && (
              <button type="button" onClick={() => act("cancel", "The run is being canceled.")}>
                Cancel run
              </button>
            )}
          </>
        )
      }
    >
      {run === undefined && error === undefined && <Loading />}
      {run === undefined && error !== undefined && <Failure error={error} retry={refresh} />}
      {run !== undefined && (
        <>
          <p class="facts">
            <StateMark state={run.state} />
            <span>
              asked for <ClockTime iso={run.createdAt} />
            </span>
            {seconds !== null && <span>{durationText(seconds)}</span>}
            {run.logicalDate !== null && (
              <span>
                logical date <code>{plainLine(run.logicalDate)}</code>
              </span>
            )}
            {run.timeScale !== 1 && <span>waits × {run.timeScale}</span>}
          </p>
          {run.note !== null && <p class="problem">{plainText(run.note)}</p>}
          {Object.keys(run.conf).length > 0 && (
            <JsonTree node={toJsonNode(run.conf)} label="conf" />
          )}
          <InstanceBars dag={dag} run={run} nowMs={now} />
        </>
      )}
    </Panel>
  );
}
