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
    assert.equal(await store.variables.keys(), []);
  }
});

test.run();
