import type { RunStarted, StartRun } from "../../../../src/api/types.ts";
import { apiPath, postJson } from "../../client/request.ts";
import { note } from "../../state/announce.ts";
import { go } from "../../state/route.ts";

/** Starts a run and shows it. */
export async function startRun(dagId: string, request: StartRun): Promise<void> {
  const { runId } = await postJson<RunStarted>(apiPath("dags", dagId, "runs"), request);
  note(`Run ${runId} has started.`);
  go({ view: "dag", dagId, tab: "runs", runId });
}
