import { Bundle, InvalidRequestError } from "@parlance/sdk-node";
import { loadBundle, runTask, TestAirflow } from "@parlance/sdk-node/testing";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

test("a handler finds what is seeded and its result is read back", async () => {
  const outcome = await runTask(
    async ({ client, context, log }) => {
      const rows = await client.getXComOrThrow<{ cents: number }[]>({ taskId: "extract" });
      const { host, password } = await client.getConnectionOrThrow("warehouse");
      log.info("adding", { host, password, day: context.logicalDate });
      await client.setVariable("seen", String(rows.length));
      await client.setXCom([1, 2], { key: "more" });
      const factor = Number(await client.getVariableOrThrow("factor"));
      return rows.reduce((sum, row) => sum + row.cents * factor, 0);
    },
    {
      variables: { factor: "2" },
      connections: { warehouse: { type: "postgres", host: "db", password: "hunter22" } },
      xcoms: { extract: [{ cents: 3 }, { cents: 4 }] },
      logicalDate: new Date("2026-02-03T00:00:00Z"),
    },
  );
  assert.is(outcome.state, "success");
  assert.is(outcome.returnValue, 14);
  assert.equal(outcome.xcoms, { more: [1, 2], return_value: 14 });
  assert.equal(outcome.logs[0], {
    level: "info",
    logger: "task",
    event: "adding",
    fields: { host: "db", password: "***", day: "2026-02-03T00:00:00.000Z" },
  });
});

test("a failure is told with what was thrown, and what comes after it", async () => {
  const fails = () => {
    throw new RangeError("too far");
  };
  const last = await runTask(fails);
  assert.is(last.state, "failed");
  assert.ok(last.error instanceof RangeError);
  const first = await runTask(fails, { maxTries: 2 });
  assert.is(first.state, "up_for_retry");
  assert.equal(first.retry, { delayMs: null, reason: "RangeError: too far" });
});

test("it refuses what the real client refuses", async () => {
  const { state, error } = await runTask(() => ({ at: Number.NaN }));
  assert.is(state, "failed");
  assert.ok(error instanceof InvalidRequestError);
  assert.is(error.path, "/at");
  const seed = { xcoms: { up: () => 1 } };
  assert.match(
    (
      await rejects(
        runTask(() => 1, seed),
        "invalid-value",
      )
    ).message,
    /function/,
  );
  const wrong = await rejects(runTask(() => 1, { variables: { k: 1 as unknown as string } }));
  assert.match(wrong.message, /variables: k is number/);
});

test("tasks of one Airflow see what the others left", async () => {
  const bundle = new Bundle()
    .task("d", "extract", () => [1, 2])
    .task("d", "total", async ({ client }) => {
      const rows = await client.getXComOrThrow<number[]>({ taskId: "extract" });
      await client.setVariable("total", String(rows.length));
    });
  const airflow = new TestAirflow();
  await airflow.run(bundle, { taskId: "extract" });
  const { state, returnValue } = await airflow.run(bundle, { taskId: "total" });
  assert.is(state, "success");
  assert.is(returnValue, undefined);
  assert.is(airflow.variables.get("total"), "2");
  assert.match((await rejects(airflow.run(bundle))).message, /2 fit; .*d\.extract, d\.total/);
  const other = await airflow.run(bundle, { dagId: "d", taskId: "nobody" });
  assert.is(other.state, "removed");
});

test("a task that is stopped cleans up and has failed", async () => {
  const stop = new AbortController();
  const { state, error } = await runTask(
    async ({ signal }) => {
      setImmediate(() => stop.abort());
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
    { stop: stop.signal },
  );
  assert.is(state, "failed");
  assert.match(error?.message ?? "", /SIGTERM/);
});

test("arguments to call a handler with by hand", async () => {
  const { client, context, log, signal } = await new TestAirflow({
    variables: { k: "v" },
  }).arguments({ taskId: "t", mapIndex: 3, conf: { a: 1 } });
  assert.is(await client.getVariable("k"), "v");
  assert.is(await client.getConnection("none"), null);
  assert.equal([context.taskId, context.mapIndex, context.conf], ["t", 3, { a: 1 }]);
  assert.not(signal.aborted);
  log.info("nobody looks");
});

test("a program that serves gives its bundle to a test", async () => {
  const program = new URL("../../test/fixtures/serves-at-load.mjs", import.meta.url).href;
  const bundle = await loadBundle(() => import(program));
  assert.equal(bundle.list(), [["d", ["t"]]]);
  const again = await rejects(loadBundle(() => import(program)));
  assert.match(again.message, /was it loaded before/);
});
