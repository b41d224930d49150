import { seedStore } from "@parlance/coordinator";
import * as assert from "uvu/assert";
import { type Flow, printed } from "../support/flow.ts";
import { RUN_ID } from "../support/python-tasks.ts";

/** Assets that a task changes, and the events of those that it reads. */
export const assets: Flow = async ({ run, store, xcoms }) => {
  assert.is((await run("assets")).finalState, "success");
  assert.equal(await xcoms("assets"), { return_value: 0 });
  const source = { dagId: "proof", runId: RUN_ID, taskId: "assets", mapIndex: -1 };
  const [changed] = await store.assets.events({ name: "asset_a", uri: "s3://bucket/a" });
  assert.equal([changed?.extra, changed?.source, changed?.aliases], [{ rows: 5 }, source, []]);
  const [dynamic] = await store.assets.events({ alias: "alias_x" });
  assert.equal([dynamic?.name, dynamic?.extra], ["dyn", { via: "alias" }]);
  assert.equal(
    (await store.assets.byAlias("alias_x")).map(({ uri }) => uri),
    ["s3://bucket/dyn"],
  );

  await seedStore(store, {
    asset_events: [{ name: "asset_in", uri: "s3://bucket/in", extra: { r: 2 } }],
  });
  const again = await run("assets", { spec: { tryNumber: 2 } });
  assert.equal(await xcoms("assets"), { return_value: 1 });
  assert.equal(printed(again.records), ["events 1 {'r': 2}"]);
};

/** An asset that no Dag names any longer: its task fails, whatever tries are left. */
export const inactiveAsset: Flow = async ({ run, store }) => {
  await seedStore(store, { assets: [{ name: "asset_a", uri: "s3://bucket/a", active: false }] });
  const result = await run("assets", { spec: { shouldRetry: true, maxTries: 2 } });
  assert.is(result.finalState, "failed");
  assert.match(JSON.stringify(result.records), /inactive/i);
};

/** Values that a task's next try finds, and an asset's that another task does. */
export const stateStores: Flow = async ({ run, store }) => {
  const result = await run("stores");
  assert.is(result.finalState, "success");
  assert.equal(printed(result.records), ["got None None", "None"]);

  const dag = { dagId: "remember", dagRelPath: "remember.py", maxTries: 1 };
  const first = await run("count", { spec: { ...dag, tryNumber: 1 } });
  assert.is(first.finalState, "up_for_retry");
  const second = await run("count", { spec: { ...dag, tryNumber: 2 } });
  assert.is(second.finalState, "success");
  const other = await run("read", { spec: dag });
  assert.is(other.finalState, "success");
  const values = await store.xcoms.list({ dagId: "remember", runId: RUN_ID });
  assert.equal(
    values.map(({ taskId, value }) => [taskId, value]),
    [
      ["count", [{ n: 2 }, 20]],
      ["read", [null, 20]],
    ],
  );
};
