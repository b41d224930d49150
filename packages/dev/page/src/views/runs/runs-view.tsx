import type { JSX } from "preact";
import type { DagDetail, RunPage } from "../../../../src/api/types.ts";
import type { Route } from "../../../../src/page-model/route.ts";
import { apiPath, getJson } from "../../client/request.ts";
import { Failure, Loading } from "../../parts/failure.tsx";
import { noteError } from "../../state/announce.ts";
import { useResource } from "../../state/use-resource.ts";
import { InstancePanel } from "../instance/instance-panel.tsx";
import { RunPanel } from "../run/run-panel.tsx";
import { GridLegend } from "./grid-legend.tsx";
import { patchRuns } from "./patch-runs.ts";
import { RunGrid } from "./run-grid.tsx";

const PAGE_SIZE = 100;

/** The grid of runs, and beside it (on a narrow screen instead of it) what was chosen in it. */
export function RunsView({
  dag,
  route,
}: {
  dag: DagDetail;
  route: Extract<Route, { view: "dag" }>;
}): JSX.Element {
  const { dagId } = dag;
  const path = `${apiPath("dags", dagId, "runs")}?limit=${PAGE_SIZE}`;
  const { data, error, refresh, replace } = useResource<RunPage>(path, (event, page) =>
    patchRuns(event, page, dagId),
  );
  const { runId, taskId, mapIndex, part = "log" } = route;
  const showOlder = async (before: string): Promise<void> => {
    try {
      const older = await getJson<RunPage>(`${path}&before=${encodeURIComponent(before)}`);
      replace(({ runs }) => ({ ...older, runs: [...runs, ...older.runs] }));
    } catch (thrown) {
      noteError(thrown);
    }
  };
  return (
    <div class={runId === undefined ? "runs" : "runs with-panel"}>
      <section class="runs-grid" aria-label="Runs">
        {data === undefined && error === undefined && <Loading />}
        {data === undefined && error !== undefined && <Failure error={error} retry={refresh} />}
        {data !== undefined && (
          <RunGrid
            dag={dag}
            runs={data.runs}
            chosen={route}
            hasOlder={data.nextBefore !== null}
            onOlder={() => data.nextBefore !== null && showOlder(data.nextBefore)}
          />
        )}
        {data !== undefined && <GridLegend runs={data.runs} />}
        {data?.runs.length === 0 && (
          <p class="empty">
            No run yet. <strong>Run</strong> above starts one with the values that the Dag gives its
            params; <strong>Run with …</strong> asks for others.
          </p>
        )}
      </section>
      {runId !== undefined && taskId === undefined && (
        <RunPanel key={runId} dag={dag} runId={runId} />
      )}
      {runId !== undefined && taskId !== undefined && (
        <InstancePanel key={`${runId} ${taskId}`} {...{ dag, runId, taskId, mapIndex, part }} />
      )}
    </div>
  );
}
