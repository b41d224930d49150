import { Timestamp } from "@parlance/framing";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { body, failure, openClient, present } from "../support/open-client.ts";

const SALES = { name: "sales", uri: "s3://b/sales", group: "asset", extra: { owner: "us" } };

test("an asset is found by its name or its URI, or is null", async () => {
  const { client, sent } = openClient(body({ type: "AssetResult", ...SALES }));
  assert.equal(await client.assets.get({ name: "sales" }), SALES);
  assert.equal(await client.assets.get({ uri: "s3://b/sales" }), SALES);
  assert.equal(sent, [
    { type: "GetAssetByName", name: "sales" },
    { type: "GetAssetByUri", uri: "s3://b/sales" },
  ]);
  const missing = openClient(body(failure("ASSET_NOT_FOUND", { name: "sales" })));
  assert.is(await missing.client.assets.get({ name: "sales" }), null);
  await rejects(client.assets.get({} as never), "invalid-request");
  await rejects(client.assets.get(undefined as never), "invalid-request");
  const listed = openClient(body({ type: "AssetsByAliasResult", assets: [SALES] }));
  assert.equal(await listed.client.assets.listByAlias("x"), [SALES]);
});

test("what is emitted is kept for the report, each call as one event", async () => {
  const { client, sent } = openClient(body({ type: "AssetResult", ...SALES }));
  assert.equal(client.outletEvents.toFields(), { task_outlets: [], outlet_events: [] });
  const { name, uri } = SALES;
  await client.assets.emit({ name, uri }, { extra: { rows: 5 } });
  assert.is(sent.length, 0);
  await client.assets.emit({ name }, { partitionKey: "eu" });
  await client.assets.emit({ name: "new", uri: "s3://b/new" }, { alias: "x", extra: { a: 1 } });
  await client.assets.emit({ uri }, { alias: "x" });
  assert.equal(sent, [
    { type: "GetAssetByName", name },
    { type: "GetAssetByUri", uri },
  ]);
  assert.equal(client.outletEvents.toFields(), {
    task_outlets: [
      { name, uri, type: "Asset" },
      { name: "x", uri: null, type: "AssetAlias" },
    ],
    outlet_events: [
      { dest_asset_key: { name, uri }, extra: { rows: 5 } },
      { dest_asset_key: { name, uri }, extra: {}, partition_key: "eu" },
      {
        source_alias_name: "x",
        dest_asset_key: { name: "new", uri: "s3://b/new" },
        dest_asset_extra: {},
        extra: { a: 1 },
      },
      {
        source_alias_name: "x",
        dest_asset_key: { name, uri },
        dest_asset_extra: { owner: "us" },
        extra: {},
      },
    ],
  });
});

test("an event that Airflow would refuse is refused at once", async () => {
  const { client } = openClient(body(failure("ASSET_NOT_FOUND", { name: "no" })));
  const asset = { name: "a", uri: "u" };
  const error = await rejects(client.assets.emit({ name: "no" }), "asset-not-found");
  assert.is((error as Error & { key: string }).key, "no");
  for (const options of [
    { extra: [] as never },
    { alias: "" },
    { alias: "x", partitionKey: "p" },
    { partitionKey: " " },
    { partitionKey: "p".repeat(251) },
  ]) {
    await rejects(client.assets.emit(asset, options), "invalid-request");
  }
  await rejects(client.assets.emit(asset, { extra: { n: Number.NaN } }), "invalid-value");
  await rejects(client.assets.emit({ name: "" }), "invalid-request");
  assert.equal(client.outletEvents.toFields().outlet_events, []);
});

const TIME = new Timestamp(1_781_571_723n, 123_456_000);
const EVENTS = {
  type: "AssetEventsResult",
  asset_events: [
    {
      id: 7,
      timestamp: TIME,
      extra: { rows: 5 },
      asset: SALES,
      created_dagruns: [
        {
          run_id: "r",
          dag_id: "d",
          logical_date: null,
          start_date: TIME,
          end_date: null,
          state: "running",
          data_interval_start: null,
          data_interval_end: null,
          partition_key: null,
        },
      ],
      source_task_id: "t",
      source_dag_id: "d",
      source_run_id: "r0",
      source_map_index: -1,
    },
  ],
};

test("events are read with their dates, their source and what they started", async () => {
  const { client, sent } = openClient(body(EVENTS));
  const after = new Date("2026-06-01T00:00:00Z");
  const events = await client.assets.listEvents({ name: "sales" }, { after, ascending: false });
  const event = present(events[0]);
  assert.equal(sent, [
    {
      type: "GetAssetEventByAsset",
      name: "sales",
      uri: null,
      after: Timestamp.fromDate(after),
      before: null,
      limit: null,
      ascending: false,
    },
  ]);
  assert.is(event.timestamp.toISOString(), "2026-06-16T01:02:03.123Z");
  assert.is(event.exact.timestamp?.nanoseconds, 123_456_000);
  assert.equal(event.asset, SALES);
  assert.equal(event.source, { dagId: "d", taskId: "t", runId: "r0", mapIndex: -1 });
  assert.is(event.createdRuns[0]?.startDate?.getTime(), event.timestamp.getTime());
  assert.is(event.createdRuns[0]?.endDate, null);

  await client.assets.listEvents({ alias: "x" }, { limit: 1 });
  assert.is(sent[1]?.["alias_name"], "x");
  assert.equal(await client.assets.listEvents({ name: "sales" }, { limit: 0 }), []);
  await rejects(client.assets.listEvents({ name: "a" }, { limit: -1 }), "invalid-request");
  await rejects(
    client.assets.listEvents({ name: "a" }, { after: "x" as never }),
    "invalid-request",
  );
  const invalid = { after: new Date(Number.NaN) };
  await rejects(client.assets.listEvents({ name: "a" }, invalid), "invalid-request");
  const broken = openClient(body({ ...EVENTS, asset_events: [{ id: "x" }] }));
  await rejects(broken.client.assets.listEvents({ name: "a" }), "bad-answer");
});

test("filters that only the newer schema has are refused with the version to pack for", async () => {
  const old = openClient(body(EVENTS));
  for (const filter of [
    { partitionKey: "p" },
    { partitionKeyPattern: "p" },
    { extra: { a: "b" } },
  ]) {
    const call = old.client.assets.listEvents({ name: "a" }, filter);
    const error = await rejects(call, "newer-schema-needed");
    assert.match(error.message, "--schema-version 2026-10-30");
  }
  assert.is(old.sent.length, 0);
  const { client, sent } = openClient(body(EVENTS), { schemaVersion: "2026-10-30" });
  const filter = { partitionKey: "p", partitionKeyPattern: "^p", extra: { a: "b" } };
  await client.assets.listEvents({ alias: "x" }, filter);
  const { partition_key, partition_key_regexp_pattern, extra } = sent[0] ?? {};
  assert.equal([partition_key, partition_key_regexp_pattern, extra], ["p", "^p", { a: "b" }]);
});

test("inlets and outlets that are not active", async () => {
  const answer = {
    type: "InactiveAssetsResult",
    inactive_assets: [{ name: "a", uri: "u", type: "Asset" }],
  };
  const { client } = openClient(body(answer));
  assert.equal(await client.assets.listInactive(), [{ name: "a", uri: "u" }]);
  const none = openClient(body({ type: "InactiveAssetsResult" }));
  assert.equal(await none.client.assets.listInactive(), []);
});

test.run();
