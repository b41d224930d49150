import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type CaseVerdict,
  type ConformanceCase,
  crossCheck,
  loadCases,
  readCapabilities,
  readKnownFailing,
  runSuite,
} from "@parlance/conformance";
import type { SchemaVersion } from "@parlance/protocol";
import {
  type AirflowVersion,
  isLongRun,
  requirePeer,
  startWarmRunner,
  temporaryFolder,
} from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

// Airflow's own task runner for Python under the kit: nobody here wrote it, so it is what the cases are measured by.

const example = (path: string): string =>
  fileURLToPath(new URL(`../../../examples/runtimes/airflow-python/${path}`, import.meta.url));
const read = (path: string): string => readFileSync(example(path), "utf8");

const CASES = loadCases();
const LIST = read("conformance/known-failing.txt");
const KNOWN = readKnownFailing(
  LIST,
  CASES.map(({ id }) => id),
);
const DECLARED = readCapabilities(read("capabilities.yaml"));

/** What is known to hang may do so for less time. */
const PATIENCE_S = 8;

/** In full every case; else one of each family, and on the newer Airflow only what may well differ from the older one. */
function chosen(version: AirflowVersion): readonly ConformanceCase[] {
  const seen = new Set<string>();
  const isChosen = ({ id, family }: ConformanceCase): boolean => {
    if (version !== "3.3.2" && !/^(?:states|capabilities)\//.test(id)) return false;
    if (KNOWN.has(id)) return true;
    return !seen.has(family) && seen.add(family) !== undefined;
  };
  const cases = isLongRun() ? CASES : CASES.filter(isChosen);
  return cases.map((one) => {
    const deadlineSeconds = Math.min(
      one.deadlineSeconds,
      KNOWN.has(one.id) ? PATIENCE_S : Infinity,
    );
    return { ...one, deadlineSeconds };
  });
}

const RUNS: readonly (readonly [AirflowVersion, SchemaVersion])[] = [
  ["3.3.2", "2026-06-16"],
  ["3.4.0b2", "2026-10-30"],
];

test("every known failure has a reason", () => {
  const lines = LIST.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const bare = lines.filter((line) => !/ {2}# .{20}/.test(line));
  assert.equal(bare, []);
});

for (const [version, schema] of RUNS) {
  const label = `Airflow ${version}`;
  if (requirePeer(test, label, `airflow-${version}`) === undefined) continue;
  const cases = chosen(version);
  let verdicts: readonly CaseVerdict[] = [];

  test(`${label} passes every case that its task runner is not known to fail`, async () => {
    const runner = await startWarmRunner({ version, launcher: example("launcher.py") });
    try {
      const argv = runner.command(["--dags", example("conformance")]);
      // Not where the example lies: cases that look for a file beside the program shall find none.
      const cwd = temporaryFolder("parlance-airflow-python");
      const runtime = { argv, env: { AIRFLOW_HOME: runner.home }, cwd };
      verdicts = await runSuite({ runtime, cases, versions: [schema] });
    } finally {
      await runner.close();
    }
    const failed = verdicts.filter(({ outcome }) => outcome === "failed");
    const unexpected = failed.filter((one) => !KNOWN.has(one.case.id));
    assert.equal(
      unexpected.map((one) => [
        one.case.id,
        ...one.findings.map(({ about, message }) => `${about}: ${message}`),
      ]),
      [],
      "look whether the case or Airflow is right, then mend the case or list it in known-failing.txt",
    );
    assert.ok(verdicts.length > 30, `${verdicts.length} verdicts`);
  });

  test(`${label}: what is known to fail does fail`, () => {
    const passed = verdicts.filter((one) => KNOWN.has(one.case.id) && one.outcome === "passed");
    assert.equal(
      passed.map((one) => `${one.case.id} passes; take it from known-failing.txt`),
      [],
    );
  });

  test(`${label}: what is declared is what was seen`, () => {
    const isDeclared = (name: string): boolean => DECLARED.dimensions.get(name)?.supported === true;
    const counted = verdicts.filter(
      (one) => !KNOWN.has(one.case.id) || !one.case.proves.some(isDeclared),
    );
    const found = crossCheck(DECLARED, counted);
    // A dimension of the other schema version, or of a case that was left out, is no news.
    assert.equal(
      found.filter(({ kind }) => kind !== "declared-but-not-tested"),
      [],
    );
  });
}

test.run();
