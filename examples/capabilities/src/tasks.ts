// One task for each state and each capability of Airflow's matrix of language SDKs, named as it is there. Every one does the
// smallest real thing of its kind, needs nothing in Airflow beforehand, and reaches its state alone.
import {
  awaitInput,
  Bundle,
  defer,
  fromTask,
  getLogger,
  literal,
  reschedule,
  SupervisorError,
  serve,
  skip,
  TaskError,
  TaskRemovedError,
} from "@parlance/sdk-node";

const DAG = "capabilities";
const ASSET = { name: "capabilities_asset", uri: "s3://capabilities/asset" };
const HOUR_MS = 3_600_000;
const bundle = new Bundle();

// ── States ──

bundle.task(DAG, "success", () => "done");

bundle.task(DAG, "failed", () => {
  throw new TaskError("this is meant to fail, and no retry would help", { retry: false });
});

bundle.task(DAG, "up_for_retry", ({ context }) => {
  if (context.shouldRetry) throw new Error("this is meant to be tried again");
  return `through after ${context.tryNumber} tries`;
});

bundle.task(DAG, "skipped", () => skip("there is nothing to do"));

bundle.task(DAG, "removed", () => {
  throw new TaskRemovedError("this task is not wanted any more");
});

bundle.task(DAG, "deferred", ({ resumed }) => {
  if (resumed !== null) return `resumed by ${resumed.method}`;
  return defer({
    classpath: "airflow.providers.standard.triggers.temporal.DateTimeTrigger",
    kwargs: { moment: new Date(Date.now() + 5_000) },
  });
});

bundle.task(DAG, "up_for_reschedule", ({ context }) => {
  if (context.rescheduleCount > 0) return "started again";
  return reschedule({ afterMs: 1_000 });
});

bundle.task(DAG, "awaiting_input", ({ resumed }) => {
  if (resumed?.answer) return resumed.answer.chosenOptions;
  return awaitInput({
    subject: "Go on?",
    options: ["yes", "no"],
    defaults: "yes",
    timeoutMs: HOUR_MS,
  });
});

// ── Capabilities ──

bundle.task(DAG, "mixed-lang-stub-target", ({ context }) => ({
  dag: context.dagId,
  task: context.taskId,
  run: context.runId,
}));

// dags/capabilities.py calls it with both: Airflow 3.4 hands them to a bundle of schema version 2026-10-30. Any other
// is not told, and what is declared here is pulled.
bundle.task(
  DAG,
  "taskflow-binding",
  {
    inputs: {
      greeting: literal("hello"),
      earlier: fromTask<string | null>("success", { default: null }),
    },
  },
  ({ inputs }) => inputs,
);

bundle.task(DAG, "task-logging", ({ log }) => {
  log.debug("a record for who looks closely");
  log.info("rows were read", { rows: 42, from: { table: "sales" } });
  log.warning("a record that wants attention");
  getLogger("capabilities.detail").info("a record of another logger");
  console.log("what is printed comes, too");
});

bundle.task(DAG, "xcom-read-write", async ({ client, context }) => {
  await client.setXCom({ rows: [1, 2, 3], whole: 9_007_199_254_740_993n }, { key: "kept" });
  return await client.getXCom({ taskId: context.taskId, key: "kept" });
});

bundle.task(DAG, "connection-read", async ({ client, log }) => {
  const found = await client.getConnection("capabilities");
  if (found === null) log.info("there is no connection `capabilities`: create one to see more");
  return found === null ? null : { type: found.type, host: found.host, port: found.port };
});

bundle.task(DAG, "variable-read-write", async ({ client }) => {
  await client.setVariable("capabilities", "written");
  const value = await client.getVariableOrThrow("capabilities");
  await client.deleteVariable("capabilities");
  return value;
});

bundle.task(DAG, "self-contained-bundle", () => ({
  node: process.version,
  program: "this file alone",
}));

bundle.task(DAG, "retry-policy", ({ context }) => {
  if (context.shouldRetry) throw new TaskError("come back in a second", { retryAfterMs: 1_000 });
  return `through after ${context.tryNumber} tries`;
});

bundle.task(DAG, "task-state-store", async ({ client }) => {
  await client.taskState.set("cursor", { page: 7 });
  return await client.taskState.get("cursor");
});

bundle.task(DAG, "asset-state-store", async ({ client, log }) => {
  const state = client.assetState(ASSET);
  try {
    await state.set("read up to", { day: "2026-06-16" });
    return await state.get("read up to");
  } catch (error) {
    if (!isMissing(error)) throw error;
    log.info("no Dag names the asset yet", { asset: ASSET.name });
    return null;
  }
});

bundle.task(DAG, "asset-event-emit", async ({ client }) => {
  await client.assets.emit(ASSET, { extra: { rows: 42 } });
});

bundle.task(DAG, "asset-event-read", async ({ client }) => {
  try {
    const events = await client.assets.listEvents(ASSET);
    return events.map(({ extra }) => extra);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
});

/** Whether Airflow says that there is no such thing. */
function isMissing(error: unknown): boolean {
  return error instanceof SupervisorError && error.statusCode === 404;
}

serve(bundle);
