import type { NewAssetEvent, StoredAsset } from "@parlance/coordinator";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { STORE_KINDS } from "../support/store-kinds.js";

const ASSET: StoredAsset = {
  name: "a",
  uri: "s3://a",
  group: "asset",
  extra: {},
  active: true,
  aliases: [],
};

function event(timestamp: string, more: Partial<NewAssetEvent> = {}): NewAssetEvent {
  const { name, uri } = ASSET;
  return {
    name,
    uri,
    timestamp,
    extra: {},
    aliases: [],
    partitionKey: null,
    source: null,
    ...more,
  };
}

for (const [kind, open] of STORE_KINDS) {
  test(`${kind}: assets are found by name, URI and alias; inactive ones by both only`, async () => {
    const store = await open();
    const { assets } = store;
    const old = { ...ASSET, name: "old", uri: "s3://old", active: false, aliases: ["x"] };
    await assets.set(ASSET);
    await assets.set(old);
    await assets.set({ ...ASSET, aliases: ["y", "x", "y"], extra: { n: 2n ** 63n } });
    const kept = { ...ASSET, aliases: ["x", "y"], extra: { n: 2n ** 63n } };
    assert.equal(await assets.get(ASSET), kept);
    assert.equal(await assets.find({ name: "a" }), kept);
    assert.equal(await assets.find({ uri: "s3://a" }), kept);
    assert.is(await assets.find({ name: "old" }), undefined);
    assert.is(await assets.find({ name: "s3://a" }), undefined);
    assert.equal(await assets.get(old), old);
    assert.equal(await assets.byAlias("x"), [kept, old]);
    assert.equal(await assets.byAlias("no"), []);
    await assets.set(ASSET);
    assert.equal(await assets.byAlias("y"), []);
    assert.equal(await assets.list(), [ASSET, old]);
    await rejects(assets.set({ ...ASSET, name: "\0" }), "bad-key");
    await store.close();
  });

  test(`${kind}: events are kept in order of their moments, and make what is not there`, async () => {
    const store = await open();
    const { assets } = store;
    const source = { dagId: "d", runId: "r", taskId: "t", mapIndex: -1 };
    await assets.record([
      event("2026-06-16T12:00:00Z", { extra: { at: 12 }, source }),
      event("2026-06-16T13:00:00+02:00", { extra: { at: 11 }, aliases: ["x"], partitionKey: "p" }),
      event("2026-06-16T13:00:00Z", { name: "b", uri: "s3://b", assetExtra: { made: true } }),
    ]);
    await assets.record([event("2026-06-16T12:00:00Z", { extra: { at: "12 again" } })]);
    await assets.record([]);
    assert.equal(await assets.list(), [
      { ...ASSET, aliases: ["x"] },
      { ...ASSET, name: "b", uri: "s3://b", extra: { made: true } },
    ]);
    const found = await assets.events({ name: "a" });
    assert.equal(
      found.map(({ id, extra }) => [id, extra["at"]]),
      [
        [2, 11],
        [1, 12],
        [4, "12 again"],
      ],
    );
    assert.equal(found[1], { ...event("2026-06-16T12:00:00Z"), extra: { at: 12 }, source, id: 1 });
    const ids = async (filter: object): Promise<number[]> =>
      (await assets.events(filter)).map(({ id }) => id);
    assert.equal(await ids({ uri: "s3://a", ascending: false }), [4, 1, 2]);
    assert.equal(await ids({ name: "a", uri: "s3://b" }), []);
    assert.equal(await ids({ alias: "x" }), [2]);
    assert.equal(await ids({ name: "a", after: "2026-06-16T14:00:00+02:00" }), [1, 4]);
    assert.equal(await ids({ name: "a", before: "2026-06-16T11:00:00Z" }), [2]);
    assert.equal(await ids({ name: "a", partitionKey: "p" }), [2]);
    await assets.set({ ...ASSET, active: false });
    assert.equal(await ids({ name: "a" }), []);
    assert.equal(await ids({ name: "a", uri: "s3://a" }), [2, 1, 4]);
    await store.close();
  });

  test(`${kind}: of events that can't all be kept none is`, async () => {
    const store = await open();
    const good = event("2026-06-16T12:00:00Z");
    await rejects(store.assets.record([good, event("yesterday")]), "bad-value");
    await rejects(store.assets.record([good, { ...good, aliases: ["\0"] }]), "bad-key");
    assert.equal(await store.assets.events({}), []);
    assert.equal(await store.assets.list(), []);
    await store.close();
  });

  test(`${kind}: a question is asked once, answered once, and asked again`, async () => {
    const store = await open();
    const { hitl } = store;
    const detail = {
      tiId: "11111111-1111-4111-8111-111111111111",
      taskInstance: { dagId: "d", runId: "r", taskId: "t", mapIndex: -1 },
      options: ["yes", "no"],
      subject: "?",
      body: null,
      defaults: null,
      multiple: false,
      params: { n: 2n ** 63n },
      assignedUsers: [{ id: "1", name: "ann" }],
      createdAt: "2026-06-16T00:00:00Z",
    };
    const response = {
      chosenOptions: ["yes"],
      paramsInput: { n: 1 },
      respondedBy: { id: "1", name: "ann" },
      respondedAt: "2026-06-16T01:00:00Z",
    };
    assert.is(await hitl.respond(detail.tiId, response), false);
    assert.equal(await hitl.request(detail), { ...detail, response: null });
    await hitl.request({ ...detail, tiId: "22222222-2222-4222-8222-222222222222" });
    assert.is(await hitl.respond(detail.tiId, response), true);
    assert.is(await hitl.respond(detail.tiId, { ...response, chosenOptions: ["no"] }), false);
    assert.equal(await hitl.get(detail.tiId), { ...detail, response });
    const ids = async (filter?: object): Promise<string[]> =>
      (await hitl.list(filter)).map(({ tiId }) => tiId.slice(0, 1));
    assert.equal(await ids(), ["1", "2"]);
    assert.equal(await ids({ pending: true }), ["2"]);
    assert.equal(await ids({ pending: false }), ["1"]);
    const other = { ...detail, subject: "other?" };
    assert.is((await hitl.request(other)).subject, "?");
    assert.is((await hitl.request(other, { refresh: true })).subject, "other?");
    assert.is((await hitl.get(detail.tiId))?.response, null);
    assert.equal(await ids(), ["1", "2"]);
    await store.close();
  });
}

test.run();
