import { readFileSync } from "node:fs";
import { buildStartupDetails, MemoryTaskStore } from "@parlance/coordinator";
import { encodeResponseFrame, Float, Timestamp } from "@parlance/framing";
import { CATALOGUE, type SchemaVersion } from "@parlance/protocol";
import { validateBody } from "@parlance/protocol/validate";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { PeerChoices } from "../support/request-peer.js";
import { detailOf, ID, LOGICAL, SERIES, withPeer } from "../support/with-peer.js";

type Body = { readonly [field: string]: unknown };

/** One question to the migrator of Airflow 3.4.0b2 and its answer; null where it raised. */
interface Vector {
  readonly op: "upgrade" | "downgrade";
  readonly note: string | null;
  readonly version: SchemaVersion;
  readonly body: Body | null;
  readonly result: Body | null;
}

const HEAD = "2026-10-30";
const OLD: PeerChoices = { runtime: "2026-06-16" };
const PROTOCOL = new URL("../../../protocol/test/data/migrator-bodies.ndjson", import.meta.url);
const vectors = readFileSync(PROTOCOL, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Vector)
  .filter(({ version }) => version === "2026-06-16");

test("handlers get each request as the real migrator reads it, and what it refuses is refused", async () => {
  let seen: Body | undefined;
  const take = (body: Body): object => {
    seen = body;
    return {};
  };
  const types = CATALOGUE[HEAD]["to-supervisor"];
  const handlers = Object.fromEntries(types.map((type) => [type, take]));
  const counts = { taken: 0, refused: 0, lax: 0 };
  await withPeer(
    HEAD,
    async (ask) => {
      for (const { op, body, result } of vectors) {
        if (op !== "upgrade") continue;
        seen = undefined;
        const answer = await ask(body);
        const told = JSON.stringify(body);
        if (answer.error === null) {
          assert.equal(seen, result, told);
          counts.taken += 1;
          continue;
        }
        assert.is(detailOf(answer).status_code, 422, told);
        assert.is(seen, undefined);
        // Stock reads "1" as a number, say, which is refused here, whatever the head's version is.
        if (result === null) counts.refused += 1;
        else counts.lax += validateBody(HEAD, "to-supervisor", body).valid ? Number.NaN : 1;
      }
    },
    { ...OLD, handlers },
  );
  assert.equal(counts, { taken: 293, refused: 120, lax: 1 });
});

test("answers reach an older runtime as the real migrator writes them", async () => {
  let next: Body = {};
  const handlers = { GetVariableKeys: () => ({ body: next }) };
  const counts = { sent: 0, refused: 0 };
  await withPeer(
    HEAD,
    async (ask) => {
      for (const { op, note, body, result } of vectors) {
        if (op !== "downgrade" || body === null || note?.includes("as_sent") !== true) continue;
        next = body;
        const answer = await ask({ type: "GetVariableKeys" });
        const told = JSON.stringify(body);
        assert.equal(answer.body, result, told);
        if (result === null) assert.is(detailOf(answer).status_code, 500, told);
        counts[result === null ? "refused" : "sent"] += 1;
      }
    },
    { ...OLD, handlers },
  );
  assert.equal(counts, { sent: 130, refused: 1 });
});

test("the first message is byte for byte what 3.4.0b2 sends a runtime of 3.3", () =>
  withPeer(
    HEAD,
    async (_ask, { session, next }) => {
      const data = new URL("../../test/data/startup-details.json", import.meta.url);
      const golden = JSON.parse(readFileSync(data, "utf8"));
      const { hex, decoded } = golden["airflow_3.4.0b2_schema_2026-06-16"];
      const [, { ti, ti_context, start_date }] = decoded;
      const at = (text: string): Timestamp => Timestamp.parse(text);
      const details = buildStartupDetails({
        schemaVersion: HEAD,
        taskInstance: {
          id: ti.id,
          dagId: ti.dag_id,
          taskId: ti.task_id,
          runId: ti.run_id,
          tryNumber: 1,
          dagVersionId: ti.dag_version_id,
          hostname: ti.hostname,
          queue: ti.queue,
          dagBundleName: "stub-bundle",
        },
        dagRun: {
          logicalDate: at(ti_context.dag_run.logical_date),
          dataIntervalStart: at(ti_context.dag_run.data_interval_start),
          dataIntervalEnd: at(ti_context.dag_run.data_interval_end),
          startDate: at(ti_context.dag_run.start_date),
        },
        argBindings: [{ name: "n", kind: "literal", value: 1 }],
        startDate: new Date(0),
      });
      session.start({ ...details, start_date: at(start_date) });
      assert.is(Buffer.from(await next()).toString("hex"), hex.slice(8)); // without its length
    },
    OLD,
  ));

test("a previous task instance comes without its region; a runtime of the head's version gets it", async () => {
  for (const runtime of ["2026-06-16", "2026-10-30"] as const) {
    const store = new MemoryTaskStore();
    await withPeer(
      HEAD,
      async (ask) => {
        const { body } = await ask({ type: "GetPreviousTI", dag_id: "d", task_id: "t" });
        const found = body?.["task_instance"] as Body;
        assert.equal(found["logical_date"], Timestamp.fromDate(LOGICAL));
        assert.is("region_id" in found, runtime === HEAD);
        assert.is("region_index" in found, runtime === HEAD);
      },
      { store, runtime },
    );
  }
});

test("an older runtime may use what is newer, as on stock", () =>
  withPeer(
    HEAD,
    async (ask, { attempt }) => {
      const note = { type: "UpdateDagRunNote", ti_id: ID, note: "hello" };
      assert.is((await ask(note)).body?.["type"], "OKResponse");
      const run = await ask({ type: "GetDagRun", dag_id: "d", run_id: "r" });
      assert.is(run.body?.["note"], "hello");
      const before = await ask({ type: "GetXCom", ...SERIES, previous_iteration: true });
      assert.match(detailOf(before).message, "previous_iteration");
      await ask({ type: "TaskState", state: "failed", retry_reason: "because" });
      assert.is(attempt.terminal?.["retry_reason"], "because");
      assert.is(attempt.terminal?.["end_date"], null, "what was left out is at its default");
    },
    OLD,
  ));

test("values pass both ways as they are", () =>
  withPeer(
    HEAD,
    async (ask) => {
      const value = { whole: new Float(90), big: 2n ** 63n, __proto__: null, nan: Number.NaN };
      await ask({ type: "SetXCom", ...SERIES, value });
      const { body } = await ask({ type: "GetXCom", ...SERIES });
      const bytes = (of: unknown) =>
        Buffer.from(encodeResponseFrame({ id: 1, body: { of } as never })).toString("hex");
      assert.is(bytes(body?.["value"]), bytes(value));
    },
    OLD,
  ));

test.run();
