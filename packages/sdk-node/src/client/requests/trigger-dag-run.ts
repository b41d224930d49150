import { randomUUID } from "node:crypto";
import { Timestamp } from "@parlance/framing";
import { validate as validTriggerDagRun } from "@parlance/protocol/validators/2026-06-16/TriggerDagRun.js";
import { InvalidRequestError, NotFoundError, SupervisorError } from "../../errors.ts";
import { checkJsonValue } from "../../values/encode-value.ts";
import type { TriggerDagRunOptions, TriggeredDagRun } from "../api/dag-runs.ts";
import { toTimestampOrNull } from "./dates.ts";
import type { RequestScope } from "./request-scope.ts";

/** See `DagRuns.trigger`. */
export async function triggerDagRun(
  { requester }: RequestScope,
  options: TriggerDagRunOptions,
): Promise<TriggeredDagRun> {
  const { dagId, conf = {}, ifExists = "fail" } = options;
  if (!["fail", "keep", "reset"].includes(ifExists)) {
    const message = `dagRuns.trigger got ifExists ${JSON.stringify(ifExists)}, expected "fail", "keep" or "reset"`;
    throw new InvalidRequestError("invalid-request", "/ifExists", message);
  }
  checkJsonValue(conf, "dagRuns.trigger: conf");
  const runAfter = toTimestampOrNull(options.runAfter, "runAfter");
  const runId = options.runId ?? newRunId(runAfter);
  const request = {
    type: "TriggerDagRun",
    dag_id: dagId,
    run_id: runId,
    conf,
    logical_date: toTimestampOrNull(options.logicalDate, "logicalDate"),
    run_after: runAfter,
    reset_dag_run: ifExists === "reset",
    partition_key: options.partitionKey ?? null,
    note: options.note ?? null,
  };
  try {
    await requester.send(request, validTriggerDagRun);
  } catch (error) {
    if (!(error instanceof SupervisorError)) throw error;
    if (error.code === "already-exists") {
      if (ifExists === "keep") return { dagId, runId, started: false };
      const message = `dagRuns.trigger: Dag ${JSON.stringify(dagId)} has a run ${JSON.stringify(runId)}, or one of this logical date, already; say what to do then by ifExists: "keep" or "reset"`;
      const { request: type, error: word, detail } = error;
      throw new SupervisorError("already-exists", message, { request: type, error: word, detail });
    }
    if (error.statusCode === 404) {
      const message = `dagRuns.trigger: there is no Dag ${JSON.stringify(dagId)}`;
      throw new NotFoundError("dag-not-found", dagId, message);
    }
    throw error;
  }
  return { dagId, runId, started: true };
}

/** As Python's operator makes them. */
function newRunId(runAfter: Timestamp | null): string {
  const date = runAfter ?? Timestamp.fromDate(new Date());
  const letters = randomUUID().slice(0, 8);
  return `manual__${date.toISOString().replace(/Z$/, "+00:00")}_${letters}`;
}
