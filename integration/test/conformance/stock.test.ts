import { type ConformanceCase, loadCases } from "@parlance/conformance";
import type { SchemaVersion } from "@parlance/protocol";
import { type AirflowVersion, isLongRun, requirePeer, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { DIFFERENCES } from "./stock/differences.ts";
import { disagreements } from "./stock/listed.ts";
import { type PlayedCase, play } from "./stock/play.ts";
import { BROKEN, brokenRuntimes, goRuntime, nodeRuntime } from "./stock/runtimes.ts";
import { whyUnplayable } from "./stock/unplayable.ts";

// The cases that stock Airflow can play, by the same programs under its own supervisor: what the kit saw is what it saw.

const CASES = loadCases();
const IDS = CASES.map(({ id }) => id);

/** Every case in full; else one of each family: the others differ in a value. */
function chosen(): readonly ConformanceCase[] {
  if (isLongRun()) return CASES;
  const seen = new Set<string>();
  return CASES.filter((one) => {
    if (whyUnplayable(one) !== undefined || seen.has(one.family)) return false;
    return seen.add(one.family);
  });
}

/** What a second language may do in a way of its own. */
function onlyInShort(): { readonly only?: readonly string[] } {
  return isLongRun() ? {} : { only: ["start", "states", "logs", "shutdown", "bundle"] };
}

const RUNS: readonly (readonly [AirflowVersion, SchemaVersion])[] = [
  ["3.3.2", "2026-06-16"],
  ...(isLongRun() ? ([["3.4.0b2", "2026-10-30"]] as const) : []),
];

for (const [airflow, schema] of RUNS) {
  const label = `Airflow ${airflow}`;
  if (requirePeer(test, label, `airflow-${airflow}`) === undefined) continue;
  const go = requirePeer(test, `${label}, the runtime in Go`, "go");
  let played: readonly PlayedCase[] = [];

  test(`${label} sees what the kit sees, or the difference is listed with its reason`, async () => {
    const folder = temporaryFolder("parlance-stock");
    const runtimes = [
      await nodeRuntime(folder, schema),
      ...(go === undefined ? [] : [{ ...(await goRuntime(folder, schema)), ...onlyInShort() }]),
      ...(await brokenRuntimes()),
    ];
    played = await play({ airflow, schema, runtimes, cases: chosen() });
    const wrong = disagreements(played, airflow, DIFFERENCES, IDS);
    assert.is(wrong.length, 0, wrong.join("\n"));
    assert.ok(played.length > 60, `${played.length} cases were played`);
  });

  test(`${label}: the broken runtimes fail there, too`, () => {
    for (const name of BROKEN) {
      const own = played.filter(({ runtime }) => runtime === `broken: ${name}`);
      assert.ok(own.length > 0, name);
      assert.ok(
        own.every(({ outcome }) => outcome === "failed"),
        name,
      );
    }
  });
}

const PLAYED: PlayedCase = { runtime: "node", id: "a/b", outcome: "passed", differences: [] };
const LISTED = { case: "a/*", parts: ["log"], reason: "because" } as const;
const DIFFERS = { part: "log", ours: "1", stock: "2" } as const;

test("an unlisted difference is wrong, so is a listed one that does not occur, and a case that is not there", () => {
  const check = (differences: PlayedCase["differences"], listed: readonly (typeof LISTED)[]) =>
    disagreements([{ ...PLAYED, differences }], "3.3.2", listed, ["a/b"]);
  assert.equal(check([], []), []);
  assert.equal(check([DIFFERS], [LISTED]), []);
  assert.match(check([DIFFERS], [])[0] ?? "", /a\/b: log differs/);
  assert.match(check([], [LISTED])[0] ?? "", /no longer differs/);
  const [missing] = disagreements([], "3.3.2", [LISTED], ["b/c"]);
  assert.match(missing ?? "", /there is no case a\/\*/);
});

test.run();
