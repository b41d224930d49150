// The handlers that the conformance kit asks a runtime for, on @parlance/sdk-node.
import {
  awaitInput,
  Bundle,
  defer,
  Float,
  fromTask,
  getLogger,
  literal,
  reschedule,
  serve,
  skip,
  skipDownstream,
  TaskError,
} from "@parlance/sdk-node";
import { native } from "./native.ts";
import { ask, type Request } from "./requests.ts";

const DAG = "conformance";
const ASSET = { name: "conformance_asset", uri: "s3://conformance/asset" };
const bundle = new Bundle();
const log = getLogger("conformance");
for (const n of [0, 1, 2]) log.info("early", { n });
process.once("exit", () => log.info("late"));

bundle.task(DAG, "succeed", () => {});
bundle.task(DAG, "echo", ({ client }) => client.getXCom({ taskId: "source", raw: true }));
bundle.task(DAG, "fail", () => {
  throw new Error("deliberate failure");
});
bundle.task(DAG, "sleep", async ({ signal }) => {
  log.info("sleeping");
  await new Promise((_, reject) => {
    const timer = setTimeout(() => {}, 60_000);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
});
bundle.task(DAG, "describe", ({ context }) => ({
  dag_id: context.dagId,
  task_id: context.taskId,
  run_id: context.runId,
  try_number: context.tryNumber,
  map_index: context.mapIndex,
  logical_date: context.logicalDate?.toISOString() ?? null,
  conf: context.conf,
}));
bundle.task(DAG, "read_variable", ({ client }) => client.getVariableOrThrow("conformance"));
bundle.task(DAG, "write_variable", async ({ client }) => {
  await client.setVariable("conformance", "written");
  await client.deleteVariable("conformance_old");
});
bundle.task(DAG, "read_connection", async ({ client }) => {
  const found = await client.getConnectionOrThrow("conformance");
  return {
    conn_type: found.type,
    host: found.host,
    port: found.port,
    login: found.login,
    password_length: found.password?.length ?? null,
    schema: found.schema,
    extra: found.extra,
  };
});
bundle.task(DAG, "write_xcom", ({ client }) =>
  client.setXCom(
    {
      text: "héllo ✓ 🚀",
      number: 42,
      wide: 9007199254740993n,
      half: 0.5,
      whole: new Float(3),
      yes: true,
      nothing: null,
      list: [1, [2, []], {}],
    },
    { key: "values" },
  ),
);
bundle.task(DAG, "missing_xcom", async ({ client }) => {
  const value = await client.getXCom({ taskId: "source", key: "nothing_here" });
  return value === null ? "null" : "a value";
});
bundle.task(DAG, "log_levels", () => {
  const levels = getLogger("conformance.levels");
  for (const level of ["debug", "info", "warning", "error", "critical"] as const) {
    levels[level](`at ${level}`);
  }
});
bundle.task(DAG, "log_fields", () => {
  const odd = 'odd: "quotes" \\ \n new line \u0001 héllo ✓ 🚀';
  log.info(odd, { rows: 42, deep: { list: [1, "two", null] } });
});
bundle.task(DAG, "log_many", () => {
  for (let n = 0; n < 10_000; n++) log.info("many", { n });
});
bundle.task(DAG, "print", () => {
  process.stdout.write("to stdout\n");
  process.stderr.write("to stderr\n");
  process.stdout.write("no line ends here");
});
bundle.task(DAG, "many_requests", ({ client }) => {
  const keys = Array.from({ length: 5 }, (_, n) => `conformance_${n}`);
  return Promise.all(keys.map((key) => client.getVariable(key)));
});

bundle.task(DAG, "catch_error", async ({ client }) => {
  try {
    return await client.getVariableOrThrow("nothing_here");
  } catch {
    return "caught";
  }
});
bundle.task(DAG, "fail_at_length", () => {
  throw new Error("x".repeat(2_000));
});
bundle.task(DAG, "log_reserved", () => {
  const fields = { level: "nothing", event: "another", timestamp: 0, logger: 1 };
  log.info("reserved", { ...fields, msg: "m", target: "t", self: "s" });
});
bundle.task(DAG, "log_odd", () => {
  const ring: { ring?: unknown } = {};
  ring.ring = ring;
  const values = [Number.NaN, Number.POSITIVE_INFINITY, 2n ** 80n, Buffer.of(0xff), "\ud800"];
  const error = new Error("the error", { cause: new Error("its cause") });
  log.info("odd values", { n: 1, values, error, ring });
});
bundle.task(DAG, "log_large", () => log.info("large", { text: "x".repeat(2 ** 20) }));
bundle.task(DAG, "time_limit", { executionTimeoutMs: 60_000 }, () => {});
bundle.task(DAG, "requests", async ({ client, context }) => {
  for (const request of context.conf["requests"] as readonly Request[]) await ask(client, request);
});

bundle.task(DAG, "skip", () => skip());
bundle.task(DAG, "skip_downstream", () => skipDownstream("after"));
bundle.task(DAG, "retry_later", () => {
  throw new TaskError("come back later", { retryAfterMs: 90_000 });
});
bundle.task(DAG, "fail_for_good", () => {
  throw new TaskError("no retry helps", { retry: false });
});
bundle.task(DAG, "reschedule", () => reschedule(new Date("2030-01-01T00:00:00Z")));
bundle.task(DAG, "defer", ({ resumed }) => {
  if (resumed !== null) return `resumed by ${resumed.method}`;
  return defer({
    classpath: "airflow.providers.standard.triggers.temporal.DateTimeTrigger",
    kwargs: { moment: new Date("2030-01-01T00:00:00Z") },
  });
});
bundle.task(DAG, "await_input", () => awaitInput({ subject: "Go on?", options: ["yes", "no"] }));

bundle.task(DAG, "task_state", async ({ client }) => {
  await client.taskState.set("cursor", { page: 7 });
  return await client.taskState.get("cursor");
});
bundle.task(DAG, "asset_state", async ({ client }) => {
  const state = client.assetState({ name: ASSET.name });
  await state.set("mark", { seen: 3 });
  return await state.get("mark");
});
bundle.task(DAG, "emit_asset_event", ({ client }) => {
  return client.assets.emit(ASSET, { extra: { rows: 42 } });
});
bundle.task(DAG, "read_asset_events", async ({ client }) => {
  const events = await client.assets.listEvents({ name: ASSET.name });
  return events.map(({ extra }) => extra);
});
bundle.task(
  DAG,
  "bound",
  { inputs: { rows: fromTask("source"), limit: literal(10), flag: literal(false) } },
  ({ inputs }) => inputs,
);

bundle.add(native);
serve(bundle);
