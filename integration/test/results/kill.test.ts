import { load } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { kindsHere, newDatabase } from "./support/databases.ts";
import { checkRows, startWriter, type Writer } from "./support/many-results.ts";

// kill -9 of writers in the middle of 10,000 stores: what was acknowledged is there, and no row is
// half of something.

const RESULTS = load(10_000);
const KILLS = 4;

for (const kind of kindsHere(test, "kills in the middle of stores")) {
  test(`${kind}: kill -9 of a writer loses nothing that was acknowledged`, async () => {
    const database = await newDatabase(kind);
    // Another process keeps writing: it must not be held up by what the dead one left.
    const steady = startWriter(database.url, 0, Math.ceil(RESULTS / 2), { prefix: "s" });
    const acknowledged = new Set<number>();
    for (let kill = 0; kill < KILLS; kill++) {
      const first = firstMissing(acknowledged);
      const writer = startWriter(database.url, first, RESULTS);
      await writer.until(Math.ceil(RESULTS / (KILLS + 2)));
      writer.process.kill("SIGKILL");
      assert.is(await writer.ended, null, "it was still at work");
      for (const i of writer.acknowledged) acknowledged.add(i);
      await checkRows(database, acknowledged);
    }
    await finish(startWriter(database.url, firstMissing(acknowledged), RESULTS));
    await finish(steady);
    assert.is(await checkRows(database, new Set(Array(RESULTS).keys())), RESULTS);
    assert.is(await checkRows(database, steady.acknowledged, "s"), Math.ceil(RESULTS / 2));
  });
}

async function finish(writer: Writer): Promise<void> {
  assert.is(await writer.ended, 0);
}

function firstMissing(numbers: ReadonlySet<number>): number {
  let i = 0;
  while (numbers.has(i)) i++;
  return i;
}

test.run();
