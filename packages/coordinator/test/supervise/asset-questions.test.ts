import { MemoryTaskStore, seedStore } from "@parlance/coordinator";
import { Timestamp } from "@parlance/framing";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Ask, detailOf, ID, OTHER_ID, withPeer } from "../support/with-peer.js";

const END = { type: "SucceedTask", end_date: "2026-06-16T03:05:00Z" };
const A = { name: "a", uri: "s3://a" };

interface Event {
  readonly extra: unknown;
  readonly asset: { readonly name: string };
  readonly partition_key?: string;
}

async function events(ask: Ask, body: object): Promise<Event[]> {
  const answer = await ask(body);
  assert.ok(answer.body, JSON.stringify(answer.error));
  return answer.body["asset_events"] as unknown as Event[];
}

const byAsset = { type: "GetAssetEventByAsset", name: "a", uri: null };

test("what a task says of its outlets is found by the next one", () =>
  withPeer("2026-06-16", async (ask, { store }) => {
    await store.assets.set({
      ...{ name: "byname", uri: "s3://byname", group: "g", extra: { e: 1 } },
      ...{ active: true, aliases: [] },
    });
    await ask({
      ...END,
      task_outlets: [
        { ...A, type: "Asset" },
        { name: "plain", uri: "s3://plain", type: "Asset" },
        { name: "byname", uri: null, type: "AssetNameRef" },
        { name: null, uri: "s3://no", type: "AssetUriRef" },
        { name: "x", uri: null, type: "AssetAlias" },
        { name: "y", uri: null, type: "AssetAlias" },
      ],
      outlet_events: [
        { dest_asset_key: A, extra: { rows: 5 } },
        { dest_asset_key: A, extra: { rows: 6 } },
        { dest_asset_key: { name: "byname", uri: "s3://byname" }, extra: { ref: true } },
        { dest_asset_key: { name: "no-outlet", uri: "s3://no-outlet" }, extra: {} },
        ...["x", "y", "z"].map((source_alias_name) => ({
          source_alias_name,
          dest_asset_key: { name: "dyn", uri: "s3://dyn" },
          dest_asset_extra: { made: "here" },
          extra: { via: "alias" },
        })),
      ],
    });
    const found = await events(ask, byAsset);
    assert.equal(
      found.map(({ extra }) => extra),
      [{ rows: 5 }, { rows: 6 }],
    );
    assert.equal(Object.keys(found[0] ?? {}).sort(), [
      "asset",
      "created_dagruns",
      "extra",
      "id",
      "source_dag_id",
      "source_map_index",
      "source_run_id",
      "source_task_id",
      "timestamp",
    ]);
    const [plain] = await events(ask, { ...byAsset, name: "plain" });
    assert.equal(plain?.extra, {});
    const [byName] = await events(ask, { ...byAsset, name: null, uri: "s3://byname" });
    assert.equal(byName?.asset, {
      name: "byname",
      uri: "s3://byname",
      group: "g",
      extra: { e: 1 },
    });
    for (const alias_name of ["x", "y"]) {
      const ofAlias = await events(ask, { type: "GetAssetEventByAssetAlias", alias_name });
      assert.equal(
        ofAlias.map(({ asset, extra }) => [asset.name, extra]),
        [["dyn", { via: "alias" }]],
      );
      const { body } = await ask({ type: "GetAssetsByAlias", alias_name });
      const asset = { name: "dyn", uri: "s3://dyn", group: "asset", extra: { made: "here" } };
      assert.equal(body?.["assets"], [{ ...asset, type: "AssetResult" }]);
    }
    assert.is((await store.assets.events({ name: "dyn" })).length, 1, "one event for two aliases");
    assert.equal(await events(ask, { type: "GetAssetEventByAssetAlias", alias_name: "z" }), []);
    assert.is(await store.assets.find({ name: "no-outlet" }), undefined);

    await ask({ ...END, task_outlets: [{ ...A, type: "Asset" }], outlet_events: [] });
    assert.is((await events(ask, byAsset)).length, 2, "the same task ends a second time");
  }));

test("an inactive asset has no events, and every one is named to who asks for them", async () => {
  const store = new MemoryTaskStore();
  await seedStore(store, { assets: [{ ...A, active: false }] });
  await withPeer(
    "2026-06-16",
    async (ask) => {
      const { body } = await ask({ type: "ValidateInletsAndOutlets", ti_id: ID });
      assert.equal(body?.["inactive_assets"], [{ ...A, type: "Asset" }]);
      await ask({ ...END, task_outlets: [{ ...A, type: "Asset" }], outlet_events: [] });
      assert.equal(await events(ask, { ...byAsset, uri: A.uri }), []);
    },
    { store },
  );
});

test("events are limited, turned round, and taken from a span of time", async () => {
  const store = new MemoryTaskStore();
  const hours = [1, 2, 3, 4];
  await seedStore(store, {
    asset_events: hours.map((hour) => {
      return { ...A, timestamp: `2026-06-16T0${hour}:00:00Z`, extra: { hour } };
    }),
  });
  await withPeer(
    "2026-06-16",
    async (ask) => {
      const found = async (more: object): Promise<unknown[]> =>
        (await events(ask, { ...byAsset, ...more })).map(
          ({ extra }) => (extra as { hour: number }).hour,
        );
      assert.equal(await found({}), hours);
      assert.equal(await found({ limit: 2 }), [1, 2]);
      assert.equal(await found({ limit: 2, ascending: false }), [4, 3]);
      assert.equal(await found({ limit: 0 }), hours);
      assert.equal(await found({ after: "2026-06-16T04:00:00+02:00" }), [2, 3, 4]);
      const before = Timestamp.parse("2026-06-16T02:00:00Z");
      assert.equal(await found({ before, after: "2026-06-16T01:30:00Z" }), [2]);
    },
    { store },
  );
});

test("events are selected by partition and extra (schema 2026-10-30), by no pattern for long", async () => {
  const store = new MemoryTaskStore();
  const keys = ["2026-06-15", "2026-06-16", "eu", "a".repeat(40), undefined];
  await seedStore(store, {
    asset_events: keys.map((partition_key, at) => {
      return {
        ...A,
        partition_key,
        timestamp: `2026-06-16T0${at}:00:00Z`,
        extra: { k: `v${at % 2}` },
      };
    }),
  });
  await withPeer(
    "2026-10-30",
    async (ask) => {
      const found = async (more: object): Promise<unknown[]> =>
        (await events(ask, { ...byAsset, ...more })).map(({ partition_key }) => partition_key);
      assert.equal(await found({ partition_key: "eu" }), ["eu"]);
      assert.equal(await found({ partition_key_regexp_pattern: "^2026-06-1[5]" }), ["2026-06-15"]);
      assert.equal(await found({ partition_key_regexp_pattern: "\\d" }), keys.slice(0, 2));
      assert.equal(await found({ extra: { k: "v1" } }), [keys[1], keys[3]]);
      assert.equal(await found({ extra: { k: "v1", no: "x" } }), []);
      assert.equal(await found({ extra: { k: "v0" }, limit: 1, ascending: false }), [undefined]);
      const started = performance.now();
      for (const partition_key_regexp_pattern of ["(a+)+$b", "("]) {
        const answer = await ask({ ...byAsset, partition_key_regexp_pattern });
        assert.is(detailOf(answer).status_code, 400);
      }
      assert.ok(performance.now() - started < 30_000);
    },
    { store },
  );
});

test("an asset's values are the same by name and by URI, also those from before it was known", () =>
  withPeer("2026-06-16", async (ask, { store }) => {
    const value = async (suffix: string, by: object): Promise<unknown> =>
      (await ask({ type: `GetAssetStateStore${suffix}`, ...by, key: "k" })).body?.["value"];
    await ask({ type: "SetAssetStateStoreByUri", uri: A.uri, key: "k", value: 1 });
    assert.is(await value("ByName", { name: "a" }), undefined);
    await ask({ ...END, task_outlets: [{ ...A, type: "Asset" }], outlet_events: [] });
    assert.is(await value("ByName", { name: "a" }), 1);
    await ask({ type: "SetAssetStateStoreByUri", uri: A.uri, key: "k", value: 2 });
    assert.equal([await value("ByName", A), await value("ByUri", A)], [2, 2]);
    await ask({ type: "DeleteAssetStateStoreByName", name: "a", key: "k" });
    assert.equal([await value("ByName", A), await value("ByUri", A)], [undefined, undefined]);
    assert.is((await store.dump()).states.length, 0);
  }));

for (const version of ["2026-06-16", "2026-10-30"] as const) {
  test(`${version}: a question to a person is kept, and forgets the answer when it is asked again`, () =>
    withPeer(version, async (ask, { store }) => {
      const question = {
        type: "CreateHITLDetailPayload",
        ti_id: ID,
        options: ["yes", "no"],
        subject: "first",
        params: { n: 1 },
        assigned_users: [{ id: "1", name: "ann" }],
      };
      const { body } = await ask(question);
      assert.equal(body, { ...question, type: "HITLDetailRequestResult" });
      const response = { chosenOptions: ["yes"], paramsInput: {}, respondedBy: null };
      const respondedAt = new Date().toISOString();
      assert.ok(await store.hitl.respond(ID, { ...response, respondedAt }));
      const again = await ask({ ...question, subject: "second", multiple: true, defaults: ["no"] });
      const newest = version === "2026-10-30";
      assert.equal(
        [again.body?.["subject"], again.body?.["multiple"], again.body?.["defaults"]],
        newest ? ["second", true, ["no"]] : ["first", undefined, undefined],
      );
      assert.is((await store.hitl.get(ID))?.response, null);
      assert.is(detailOf(await ask({ ...question, ti_id: OTHER_ID })).status_code, 403);
      assert.is((await store.hitl.list()).length, 1);
    }));
}

test.run();
