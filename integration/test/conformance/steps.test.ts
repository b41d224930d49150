import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { type ConformanceCase, loadCases, runSuite } from "@parlance/conformance";
import { isLongRun } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

// docs/writing-a-runtime.md leads from nothing to every MUST: the cases that it names turn green in its order.

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const RUNTIME = at("integration/test/conformance/fixtures/reference/runtime.mjs");
const CASES = loadCases();

interface Step {
  readonly step: number;
  /** The ids behind its "Green:", and the folders of ids. */
  readonly green: readonly string[];
  readonly cases: readonly ConformanceCase[];
}

/** The numbered steps of the page, each with the cases that it says are green then. */
function readSteps(): readonly Step[] {
  const [, ...sections] = readFileSync(at("docs/writing-a-runtime.md"), "utf8").split(
    /^## (?=\d)/m,
  );
  const earlier = new Set<string>(); // a folder leaves out what an earlier step names
  return sections.map((section, index) => {
    const named = (section.match(/Green: [\s\S]*?(?=\n\n|$)/g) ?? []).join(" ");
    const green = Array.from(named.matchAll(/`([^`]+)`/g), ([, id]) => id as string).filter((id) =>
      isNamed(id),
    );
    const cases = CASES.filter(
      ({ id }) => !earlier.has(id) && green.some((name) => within(id, name)),
    );
    for (const { id } of cases) earlier.add(id);
    return { step: index + 1, green, cases };
  });
}

const within = (id: string, name: string): boolean => id === name || id.startsWith(`${name}/`);
/** Without the words of another kind that a sentence behind them may hold. */
const isNamed = (name: string): boolean => /^[a-z0-9-]+(\/[a-z0-9-]+)*$/.test(name);

const STEPS = readSteps();

/** The cases that the runtime passes as it is after a step. */
async function passedAfter(step: number, cases: readonly ConformanceCase[]): Promise<Set<string>> {
  const verdicts = await runSuite({
    runtime: { argv: [process.execPath, RUNTIME], env: { MUTANT: `step-${step}` } },
    cases: cases.map((one) => ({ ...one, versions: one.versions.slice(-1) })),
    jobs: 2 * availableParallelism(),
  });
  return new Set(verdicts.filter(({ outcome }) => outcome === "passed").map((one) => one.case.id));
}

test("nine steps, each with cases of the kit; every MUST of a task is green in one of them", () => {
  assert.is(STEPS.length, 9);
  for (const { step, green } of STEPS) {
    assert.ok(green.length > 0, `step ${step} names cases`);
    for (const name of green)
      assert.ok(
        CASES.some(({ id }) => within(id, name)),
        `step ${step}: there is no case ${name}`,
      );
  }
  const named = new Set(STEPS.flatMap(({ cases }) => cases.map(({ id }) => id)));
  const left = CASES.filter(({ tier, id }) => tier === "must" && !id.startsWith("native/"))
    .map(({ id }) => id)
    .filter((id) => !named.has(id));
  assert.equal(left, [], "MUST cases that no step names");
  const names = STEPS.flatMap(({ green }) => green);
  assert.equal(names.length, new Set(names).size, "a name stands in two steps");
});

test("after each step the cases that it names pass; in full: some of them did not before", async () => {
  for (const { step, cases } of STEPS) {
    const own = cases.filter(({ tier, id }) => tier === "must" && !/^(parse|bundle)\//.test(id));
    const passed = await passedAfter(step, own);
    const missing = own.filter(({ id }) => !passed.has(id)).map(({ id }) => id);
    assert.equal(missing, [], `not green after step ${step}`);
    if (step === 1 || !isLongRun()) continue;
    const before = await passedAfter(
      step - 1,
      own.map((one) => ({ ...one, deadlineSeconds: 8 })),
    );
    assert.ok(before.size < own.length, `step ${step} turns nothing green that was not`);
  }
});

test.run();
