import type { JSX } from "preact";
import type { DagDetail, RunDetail } from "../../../../src/api/types.ts";
import { apiPath } from "../../client/request.ts";
import { Failure, Loading } from "../../parts/failure.tsx";
import { useNow } from "../../state/use-now.ts";
import { useResource } from "../../state/use-resource.ts";
import { InstanceBars } from "../run/instance-bars.tsx";
import { patchRun } from "../run/patch-run.ts";

interface MappedProps {
  readonly dag: DagDetail;
  readonly runId: string;
  readonly taskId: string;
}

/** The instances of a mapped task in one run. */
export function MappedList({ dag, runId, taskId }: MappedProps): JSX.Element {
  const path = apiPath("dags", dag.dagId, "runs", runId);
  const { data, error, refresh } = useResource<RunDetail>(path, (event, shown) =>
    patchRun(event, shown),
  );
  const now = useNow(data?.endDate === null);
  if (data === undefined) {
    return error === undefined ? <Loading /> : <Failure error={error} retry={refresh} />;
  }
  const instances = data.instances.filter((one) => one.taskId === taskId);
  return <InstanceBars dag={dag} run={{ ...data, instances }} nowMs={now} />;
}
