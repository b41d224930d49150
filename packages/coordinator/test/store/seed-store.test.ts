import { MemoryTaskStore, seedStore } from "@parlance/coordinator";
import { Float } from "@parlance/framing";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

test("writes variables, connections and XComs", async () => {
  const store = new MemoryTaskStore();
  const seed = {
    variables: { v1: "hello", list: [1, { a: true }], none: null },
    connections: {
      c1: {
        conn_type: "http",
        host: "h.example",
        login: "u",
        password: "pw-of-c1",
        schema: null,
        port: 8080,
        extra: '{"k": "v"}',
      },
      c2: { conn_type: "fs", extra: { path: "/x" } },
    },
    xcoms: [
      { dag_id: "d", run_id: "r", task_id: "t", value: { $: "float", v: "1.0" } },
      { task_id: "t", key: "k", map_index: 2, value: null },
    ],
    dag_run: { conf: {} },
  };
  const defaults = { dagId: "dag", runId: "run" };
  assert.equal(await seedStore(store, seed, defaults), {
    variables: 3,
    connections: 2,
    xcoms: 2,
    dagRuns: 0,
    taskInstances: 0,
    assets: 0,
    assetEvents: 0,
    ignored: ["dag_run"],
  });
  assert.is((await store.variables.get("v1"))?.value, "hello");
  assert.is((await store.variables.get("list"))?.value, '[1,{"a":true}]');
  assert.is((await store.variables.get("none"))?.value, null);
  assert.equal(await store.connections.get("c1"), {
    connId: "c1",
    connType: "http",
    host: "h.example",
    schema: null,
    login: "u",
    password: "pw-of-c1",
    port: 8080,
    extra: '{"k": "v"}',
  });
  assert.is((await store.connections.get("c2"))?.extra, '{"path":"/x"}');
  const whole = { dagId: "d", runId: "r", taskId: "t", key: "return_value", mapIndex: -1 };
  assert.instance((await store.xcoms.get(whole))?.value, Float);
  const mapped = { dagId: "dag", runId: "run", taskId: "t", key: "k", mapIndex: 2 };
  assert.is((await store.xcoms.get(mapped))?.value, null);
});

test("writes runs, task instances, assets and their events, with defaults for most of it", async () => {
  const store = new MemoryTaskStore();
  const seed = {
    dag_runs: [
      {
        run_id: "r0",
        logical_date: "2026-06-15T00:00:00+02:00",
        conf: { n: { $: "int", v: "1" } },
      },
      { run_id: "r1", dag_id: "e", state: "running", run_after: "2026-06-15T00:00:00Z", note: "n" },
    ],
    task_instances: [
      { task_id: "t" },
      { task_id: "u", run_id: "r0", state: null, try_number: 2, map_index: 3 },
    ],
    assets: [{ name: "a" }, { name: "old", uri: "s3://old", active: false, aliases: ["x"] }],
    asset_events: [
      {
        name: "a",
        timestamp: "2026-06-15T00:00:00Z",
        extra: { n: 1 },
        aliases: ["y"],
        source: { task_id: "t" },
      },
    ],
  };
  const result = await seedStore(store, seed, { dagId: "d", runId: "r" });
  const { dagRuns, taskInstances, assets, assetEvents } = result;
  assert.equal([dagRuns, taskInstances, assets, assetEvents], [2, 2, 2, 1]);
  const run = await store.dagRuns.get("d", "r0");
  assert.equal([run?.state, run?.runType, run?.conf], ["success", "manual", { n: 1 }]);
  assert.is(run?.dataIntervalEnd, "2026-06-15T00:00:00+02:00");
  assert.is(run?.runAfter, "2026-06-15T00:00:00+02:00");
  assert.equal((await store.dagRuns.get("e", "r1"))?.logicalDate, null);
  const [seen] = await store.taskInstances.list({ dagId: "d", runIds: ["r"] });
  assert.equal([seen?.taskId, seen?.state, seen?.tryNumber], ["t", "success", 1]);
  const [mapped] = await store.taskInstances.list({ dagId: "d", runIds: ["r0"] });
  assert.equal([mapped?.mapIndex, mapped?.state, mapped?.tryNumber], [3, null, 2]);
  assert.is((await store.assets.find({ uri: "a" }))?.name, "a");
  assert.is((await store.assets.byAlias("x"))[0]?.active, false);
  const [event] = await store.assets.events({ alias: "y" });
  assert.equal(event?.source, { dagId: "d", runId: "r", taskId: "t", mapIndex: -1 });
});

const BAD: readonly [unknown, string][] = [
  [[], ""],
  [{ variable: {} }, "/variable"],
  [{ variables: [] }, "/variables"],
  [{ variables: { "a/b\0": "" } }, "/variables/a~1b\0"],
  [{ connections: { c: {} } }, "/connections/c/conn_type"],
  [{ connections: { c: { conn_type: "x", port: 70_000 } } }, "/connections/c/port"],
  [{ connections: { c: { conn_type: "x", hots: "y" } } }, "/connections/c/hots"],
  [{ connections: { c: { conn_type: "x", login: 1 } } }, "/connections/c/login"],
  [{ xcoms: {} }, "/xcoms"],
  [{ xcoms: [{ task_id: "t", value: 1 }] }, "/xcoms/0/dag_id"],
  [{ xcoms: [{ dag_id: "d", run_id: "r", task_id: "t" }] }, "/xcoms/0/value"],
  [{ xcoms: [{ dag_id: "d", run_id: "r", task_id: "t", value: { $: "?" } }] }, "/xcoms/0/value"],
  [
    { xcoms: [{ dag_id: "d", run_id: "r", task_id: "t", map_index: -2, value: 1 }] },
    "/xcoms/0/map_index",
  ],
  [{ dag_runs: [{ dag_id: "d" }] }, "/dag_runs/0/run_id"],
  [{ dag_runs: [{ dag_id: "d", run_id: "r", state: "done" }] }, "/dag_runs/0/state"],
  [{ dag_runs: [{ dag_id: "d", run_id: "r", execution_date: "" }] }, "/dag_runs/0/execution_date"],
  [
    { dag_runs: [{ dag_id: "d", run_id: "r", logical_date: "2026-06-15T00:00:00" }] },
    "/dag_runs/0/logical_date",
  ],
  [{ dag_runs: [{ dag_id: "d", run_id: "r", conf: { n: { $: "?" } } }] }, "/dag_runs/0/conf"],
  [{ task_instances: [{ dag_id: "d", run_id: "r" }] }, "/task_instances/0/task_id"],
  [
    { task_instances: [{ dag_id: "d", run_id: "r", task_id: "t", try_number: "1" }] },
    "/task_instances/0/try_number",
  ],
  [{ assets: [{ uri: "s3://a" }] }, "/assets/0/name"],
  [{ assets: [{ name: "a", active: "yes" }] }, "/assets/0/active"],
  [{ assets: [{ name: "a", aliases: ["x", 5] }] }, "/assets/0/aliases/1"],
  [{ asset_events: [{ name: "a", timestamp: "now" }] }, "/asset_events/0/timestamp"],
  [{ asset_events: [{ name: "a", source: { dag_id: "d" } }] }, "/asset_events/0/source/run_id"],
];

test("a seed with a fault writes nothing and says where the fault is", async () => {
  for (const [fault, path] of BAD) {
    const store = new MemoryTaskStore();
    const merged = Array.isArray(fault) ? fault : { ...(fault as object) };
    if (!Array.isArray(merged) && !("variables" in merged)) {
      Object.assign(merged, { variables: { good: "1" } });
    }
    const error = (await rejects(seedStore(store, merged), "bad-seed")) as Error & { path: string };
    assert.is(error.path, path, error.message);
    assert.equal((await store.dump()).assets, []);
    assert.equal(await store.variables.keys(), []);
  }
});

test.run();
