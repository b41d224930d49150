import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AirflowLine, type DoctorReport, examineRoots } from "@parlance/bundle";
import { isLongRun, requirePeer, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { DOCTOR_CASES, type DoctorCase } from "./support/doctor-cases.ts";
import { layRandomRoot } from "./support/random-root.ts";
import { type FinderName, RealFinders } from "./support/real-finders.ts";

// Every file that the doctor explains, and what the finders of a stock Airflow make of it.

const CLI = fileURLToPath(new URL("../../../packages/cli/bin/parlance.js", import.meta.url));
const FINDERS = { ExecutableCoordinator: "executable", NodeCoordinator: "node" } as const;

for (const [airflow, peer] of [
  ["3.3", "airflow-3.3.2"],
  ["3.4", "airflow-3.4.0b2"],
] as const) {
  const python = requirePeer(test, `the doctor for Airflow ${airflow}`, peer);
  if (python === undefined) continue;
  let real: RealFinders;
  test.before(() => {
    real = new RealFinders(python);
  });
  test.after(() => real.end());

  test(`${airflow}: random roots with many faults`, async () => {
    for (let seed = 1; seed <= RANDOM_ROOTS; seed++) {
      const root = join(realpathSync(temporaryFolder("parlance-random")), "root");
      mkdirSync(root);
      layRandomRoot(root, seed);
      const report = await examineRoots({ roots: [root], airflow });
      await agree(real, report, ["d1", "d2", "d3"]);
    }
  });

  for (const each of DOCTOR_CASES) {
    test(`${airflow}: ${each.name}`, async () => {
      const root = join(realpathSync(temporaryFolder("parlance-doctor")), "root");
      mkdirSync(root);
      each.lay(root);
      const before = await examineRoots({ roots: [root], airflow });
      const codes = Array.isArray(each.codes)
        ? (each.codes as readonly string[])
        : (each.codes as { readonly [Line in AirflowLine]: readonly string[] })[airflow];
      assert.equal(codesOf(before), [...codes].sort(), JSON.stringify(before.problems, null, 1));
      await agree(real, before, each.dagIds ?? ["d1"]);
      if (!isMendable(each, airflow)) return;
      const after = await mend(before);
      assert.equal(codesOf(after), [], JSON.stringify(after.problems, null, 1));
      const found = await agree(real, after, each.dagIds ?? ["d1"]);
      for (const dagId of each.dagIds ?? ["d1"]) {
        const paths = [...found]
          .filter(([key]) => key.endsWith(` ${dagId}`))
          .map(([, path]) => path);
        assert.ok(
          paths.some((path) => path !== null),
          `${dagId} is not found after the mends`,
        );
        for (const path of paths) if (path !== null) assertStarts(path);
      }
    });
  }
}

/** In full more of them. */
const RANDOM_ROOTS = isLongRun() ? 1_000 : 60;

/** What is mended may be the second bundle of a Dag, and is told of then. */
async function mend(report: DoctorReport): Promise<DoctorReport> {
  let now = report;
  for (let round = 0; round < 3 && (round === 0 || codesOf(now).length > 0); round++) {
    runCommands(now);
    now = await examineRoots({ roots: report.roots, airflow: report.airflow });
  }
  return now;
}

function isMendable({ mended }: DoctorCase, airflow: AirflowLine): boolean {
  if (mended === undefined) return true;
  return mended === `${airflow} only`;
}

/** Errors and warnings. */
function codesOf({ problems }: DoctorReport): readonly string[] {
  const wrong = problems.filter(({ severity }) => severity !== "note");
  return [...new Set(wrong.map(({ code }) => code))].sort();
}

/** The doctor names for every Dag the file that the real finder takes, or none as it does. */
async function agree(
  real: RealFinders,
  report: DoctorReport,
  dagIds: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const found = new Map<string, string | null>();
  const coordinators = Object.entries(FINDERS).filter(
    ([name]) => report.airflow === "3.4" || name === "ExecutableCoordinator",
  );
  for (const [coordinator, finder] of coordinators) {
    for (const dagId of dagIds) {
      const theirs = await real.find(finder as FinderName, report.roots, dagId);
      const ours = report.dags.find(
        (one) => one.coordinator === coordinator && one.dagId === dagId,
      );
      const shown = `${finder} ${dagId}: ${JSON.stringify(theirs)}`;
      assert.is(text(ours?.path), text(theirs.path), shown);
      assert.is(ours?.schemaVersion, theirs.schemaVersion, shown);
      found.set(`${finder} ${dagId}`, theirs.path ?? null);
    }
  }
  return found;
}

/** Python's surrogates for bytes that are no UTF-8 are our replacement characters. */
function text(path: string | undefined): string | undefined {
  return path?.replace(/[\udc80-\udcff]/g, "\ufffd");
}

/** As somebody would paste them, one after the other, each once. */
function runCommands({ problems }: DoctorReport): void {
  const bin = temporaryFolder("parlance-bin");
  symlinkSync(CLI, join(bin, "parlance"));
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}` };
  const commands = problems.map(({ command }) => command).filter((one) => one !== null);
  for (const command of new Set(commands)) {
    const { status, stderr } = spawnSync("sh", ["-c", command], { env, encoding: "utf8" });
    assert.is(status, 0, `${command}: ${stderr}`);
  }
}

function assertStarts(path: string): void {
  if (path.endsWith(".min.mjs") || path.includes("\udcff")) return;
  chmodSync(path, 0o755); // 3.4 sets it; the doctor's command has for 3.3
  const { status, error } = spawnSync(path);
  assert.equal([status, error], [0, undefined], path);
}

test.run();
