import { fileURLToPath } from "node:url";

/** The example that has one task for each dimension of Airflow's matrix of language SDKs. */
export const CAPABILITIES: string = fileURLToPath(
  new URL("../../../../examples/capabilities/", import.meta.url),
);

/** Its task ids: the names of the matrix, so that whoever knows those finds the tasks. */
export const CAPABILITY_TASKS = [
  ...(["success", "failed", "up_for_retry", "skipped"] as const),
  ...(["removed", "deferred", "up_for_reschedule", "awaiting_input"] as const),
  ...(["mixed-lang-stub-target", "taskflow-binding", "task-logging"] as const),
  ...(["xcom-read-write", "connection-read", "variable-read-write"] as const),
  ...(["self-contained-bundle", "retry-policy", "task-state-store"] as const),
  ...(["asset-state-store", "asset-event-emit", "asset-event-read"] as const),
] as const;
