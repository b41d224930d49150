import { openResultStore } from "@parlance/results";
import { startCeleryPeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { kindsHere, newDatabase } from "./support/databases.ts";

// One and the same URL, drivers of Python named in it and all, opens the results for both.

const DRIVERS = {
  sqlite: [undefined],
  postgresql: ["psycopg2", "psycopg"],
  mariadb: ["pymysql"],
} as const;

const RESULT = {
  text: "\u4e2d\u{1f600} caf\u00e9 \0",
  list: [1, -2.5, null, true],
  bytes: { __type__: "base64", __value__: "/wA=" },
};

for (const kind of kindsHere(test, "drivers of the real Celery")) {
  for (const driver of DRIVERS[kind]) {
    test(`${kind} with ${driver ?? "no driver named"}: one URL for both`, async () => {
      const database = await newDatabase(kind);
      const url = database.celeryUrl(driver);
      const store = await openResultStore(url, { extended: true });
      const celery = await startCeleryPeer(url, { extended: true, pooled: true });
      const traceback = "Traceback:\n  \u4e2d \u{1f600}";
      const failure = { $exc: { type: "ValueError", args: ["\u4e2d"] } };
      await celery.mustWrite(
        { id: "theirs", state: "SUCCESS", result: RESULT },
        { id: "theirs-failed", state: "FAILURE", result: failure, traceback },
      );
      const { result, dateDone } = await store.get("theirs");
      assert.equal(result, { ...RESULT, bytes: Uint8Array.of(255, 0) });
      assert.ok(Math.abs(Date.now() - (dateDone?.getTime() ?? 0)) < 60_000);
      const failed = await store.get("theirs-failed");
      assert.is(failed.traceback, traceback);
      await store.store("ours", { state: "SUCCESS", result });
      await store.store("ours-failed", { state: "FAILURE", result: failed.result, traceback });
      const [theirs, ours] = [await celery.readTask("theirs"), await celery.readTask("ours")];
      assert.equal(ours.result, theirs.result);
      assert.is(ours.date_done?.length, theirs.date_done?.length);
      const ourFailure = await celery.readTask("ours-failed");
      assert.is(ourFailure.traceback, traceback);
      assert.equal(ourFailure.result, (await celery.readTask("theirs-failed")).result);
      // Each finds the other's rows by what they are for: final, forgotten, saved.
      assert.not((await store.store("theirs", { state: "FAILURE" })).written);
      await celery.mustWrite({ id: "ours", state: "FAILURE", result: failure });
      assert.is((await store.get("ours")).state, "SUCCESS");
      await celery.mustWrite({ forget: "ours" });
      assert.is((await store.get("ours")).state, "PENDING");
      await store.forget("theirs");
      assert.not((await celery.readTask("theirs")).exists);
      await Promise.all([store.close(), celery.close()]);
    });
  }
}

test.run();
