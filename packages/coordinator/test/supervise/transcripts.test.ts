import { readFileSync } from "node:fs";
import { MemoryTaskStore, seedStore } from "@parlance/coordinator";
import { decodeRequestFrame, decodeResponseFrame } from "@parlance/framing";
import type { SchemaVersion } from "@parlance/protocol";
import { migrateBody } from "@parlance/protocol/migrate";
import { bytesEqual } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { openRequestPeer, type RequestPeer } from "../support/request-peer.js";

type Row = readonly ["to-task" | "to-supervisor", string];

/** Where our answers are not those that were recorded, and why: see the file. */
interface Differences {
  /** By message type: `ours` is a pattern that our answer has to match. */
  readonly answers: { readonly [type: string]: { readonly why: string; readonly ours: string } };
  readonly unanswered: { readonly types: readonly string[] };
  readonly injected: { readonly transcripts: readonly string[]; readonly types: readonly string[] };
  readonly notReplayed: { readonly [name: string]: string };
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../test/data/${name}`, import.meta.url), "utf8"));
}

const differences = read<Differences>("differences.json");
const of332 = read<{ readonly [name: string]: readonly Row[] }>("transcripts.json");
const others = read<{
  readonly [name: string]: { readonly schemaVersion: SchemaVersion; readonly rows: readonly Row[] };
}>("transcripts-3.4.json");

interface Transcript {
  readonly name: string;
  readonly schemaVersion: SchemaVersion;
  readonly rows: readonly Row[];
  /** The supervisor's own version, where it is not the runtime's. */
  readonly head?: SchemaVersion;
}

const transcripts: readonly Transcript[] = [
  ...Object.entries(of332).map(([name, rows]) => ({
    name,
    schemaVersion: "2026-06-16" as const,
    rows,
  })),
  ...Object.entries(others).map(([name, { schemaVersion, rows }]) => ({
    name,
    schemaVersion,
    rows,
  })),
];

/** With a supervisor of 3.4, the runtimes of 3.3 are still answered so; only their first message differs. */
const underNewerHead: readonly Transcript[] = transcripts
  .filter(({ schemaVersion }) => schemaVersion === "2026-06-16")
  .map((transcript) => ({ ...transcript, head: "2026-10-30" }));

const used = new Set<string>();
const RUN = "manual__2026-01-02T03:04:05+00:00";

/** What the recordings' fake server had. */
const SEED = {
  variables: { v1: "hello" },
  connections: {
    c1: {
      conn_type: "http",
      host: "h.example",
      login: "u",
      password: "pw-of-c1",
      port: 8080,
      extra: '{"k": "v"}',
    },
  },
  xcoms: [
    { dag_id: "lay_a2", run_id: RUN, task_id: "seed", value: { n: 20 } },
    { dag_id: "stub_dag", run_id: RUN, task_id: "seed", value: { n: 20 } },
  ],
  assets: [{ name: "a", uri: "asset://a" }],
};

function text(value: unknown): string {
  return JSON.stringify(value, (_key, item) => (typeof item === "bigint" ? `${item}n` : item));
}

for (const { name, schemaVersion, rows, head } of [...transcripts, ...underNewerHead]) {
  const under = head === undefined ? "" : ` under a head of ${head}`;
  test(`${name}${under}: requests are answered as the stock supervisor answered them`, async () => {
    const toTask = rows.filter(([direction]) => direction === "to-task").map(([, hex]) => hex);
    const requests = rows
      .filter(([direction]) => direction === "to-supervisor")
      .map(([, hex]) => hex);
    const first = payload(toTask.shift() ?? "");
    const recorded = decodeResponseFrame(first).body;
    assert.ok(recorded);
    const details = head === undefined ? recorded : raised(recorded, head);
    const store = new MemoryTaskStore();
    await seedStore(store, SEED);
    const runtime = schemaVersion;
    const peer = await openRequestPeer(details, head ?? runtime, store, { runtime });
    const instance = { ...peer.attempt.taskInstance, tryNumber: 1, startDate: null, endDate: null };
    await store.taskInstances.set({ ...instance, state: "running" });
    try {
      peer.session.start(details);
      const sent = await peer.next();
      if (head === undefined || "multi_team" in contextOf(recorded)) bytesEqual(sent, first);
      else assert.equal(withoutLeaks(decodeResponseFrame(sent).body), recorded);
      await compare(name, peer, requests, toTask.map(payload));
    } finally {
      await peer.close();
    }
  });
}

interface Details {
  readonly [field: string]: unknown;
}

const contextOf = (details: Details): Details => details["ti_context"] as Details;

/** What a supervisor of the newer version would have begun with. */
function raised(recorded: Details, to: SchemaVersion): Details {
  const migration = migrateBody(recorded, { from: "2026-06-16", to, direction: "to-task" });
  assert.ok(migration.migrated);
  assert.ok("region_id" in (migration.body["ti"] as Details), "it is the newer one");
  return migration.body;
}

/** The two fields that 3.4's own migration leaves in for a runtime of 3.3. */
function withoutLeaks(details: Details | null): Details {
  assert.ok(details);
  const { version_data, ...bundle } = details["bundle_info"] as Details;
  const { multi_team, ...context } = contextOf(details);
  assert.equal([version_data, multi_team], [null, false]);
  return { ...details, bundle_info: bundle, ti_context: context };
}

async function compare(
  name: string,
  peer: RequestPeer,
  requests: readonly string[],
  toTask: Uint8Array[],
): Promise<void> {
  for (const hex of requests) peer.socket.write(Buffer.from(hex, "hex"));
  for (const hex of requests) {
    const request = decodeRequestFrame(payload(hex));
    const type = String(request.body?.["type"] ?? "null");
    const ours = decodeResponseFrame(await peer.next());
    assert.is(ours.id, request.id);
    const stock = toTask[0] && decodeResponseFrame(toTask[0]);
    if (stock === undefined || stock.id !== request.id) {
      assert.ok(differences.unanswered.types.includes(type), `${type} was answered by stock`);
      assert.match(text(ours.error), /"API_SERVER_ERROR".*"status_code":422/);
      used.add(`unanswered ${type}`);
      continue;
    }
    toTask.shift();
    const difference = differences.answers[type];
    const { transcripts: names, types } = differences.injected;
    if (difference !== undefined) {
      assert.not.equal(text(ours), text(stock), `${type} is the same: no difference`);
      assert.match(text(ours.body ?? ours.error), new RegExp(difference.ours), difference.why);
      used.add(`answers ${type}`);
    } else if (names.includes(name) && types.includes(type)) {
      used.add(`injected ${name}`);
    } else assert.is(text(ours), text(stock), type);
  }
  assert.is(toTask.length, 0);
}

test("each difference that is listed is one, and nothing that is not replayed is", () => {
  const listed = [
    ...Object.keys(differences.answers).map((type) => `answers ${type}`),
    ...differences.unanswered.types.map((type) => `unanswered ${type}`),
    ...differences.injected.transcripts.map((name) => `injected ${name}`),
  ];
  assert.equal([...used].sort(), listed.sort());
  const names = transcripts.map(({ name }) => name);
  assert.not(Object.keys(differences.notReplayed).some((name) => names.includes(name)));
  assert.is(names.length, 37);
});

function payload(hex: string): Uint8Array {
  return Buffer.from(hex, "hex").subarray(4);
}

test.run();
