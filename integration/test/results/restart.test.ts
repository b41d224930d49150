import { load } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { kindsHere, newDatabase, serverOf } from "./support/databases.ts";
import { checkRows, startWriter } from "./support/many-results.ts";

// Servers that go down in the middle of 10,000 stores: what was acknowledged is there, and no row is
// half of something.

const RESULTS = load(10_000);
const STOPS = 4;
/** So that four writers are at work for 5 s in all, however fast the server is. */
const PAUSE_MS = 20_000 / RESULTS;

for (const kind of kindsHere(test, "restarts in the middle of stores", ["postgresql", "mariadb"])) {
  test(`${kind}: a server that is restarted or killed loses nothing that was acknowledged`, async () => {
    const server = await serverOf(kind as "postgresql" | "mariadb");
    const database = await newDatabase(kind);
    const writer = startWriter(database.url, 0, RESULTS, { pauseMs: PAUSE_MS });
    for (let stop = 1; stop <= STOPS; stop++) {
      await writer.until(Math.ceil((RESULTS * stop) / (STOPS + 2)));
      const before = new Set(writer.acknowledged);
      assert.ok(before.size < RESULTS, "it was still at work");
      await server.restart({ immediate: stop % 2 === 0 });
      await checkRows(database, before);
    }
    assert.is(await writer.ended, 0);
    assert.is(await checkRows(database, writer.acknowledged), RESULTS);
  });
}

test.run();
