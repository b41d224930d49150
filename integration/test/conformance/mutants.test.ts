import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { type ConformanceCase, loadCases, runSuite } from "@parlance/conformance";
import { test } from "uvu";
import * as assert from "uvu/assert";

const at = (path: string): string =>
  fileURLToPath(new URL(`../../test/conformance/fixtures/reference/${path}`, import.meta.url));
const { CAUGHT_BY } = (await import(at("caught-by.mjs"))) as {
  CAUGHT_BY: { readonly [mutant: string]: readonly string[] };
};
const { MUTANT_NAMES } = (await import(at("mutants.mjs"))) as { MUTANT_NAMES: readonly string[] };

const CASES = loadCases();
const within = (id: string, wanted: string): boolean =>
  id === wanted || id.startsWith(`${wanted}/`);

/** Runs a mutant (or the sound runtime) and gives the ids of the cases it fails. */
async function failures(
  mutant: string,
  cases: readonly ConformanceCase[],
  jobs = 2 * availableParallelism(),
): Promise<readonly string[]> {
  const verdicts = await runSuite({
    runtime: { argv: [process.execPath, at("runtime.mjs")], env: { MUTANT: mutant } },
    cases,
    jobs,
  });
  return verdicts.filter(({ outcome }) => outcome === "failed").map((one) => one.case.id);
}

test("the sound runtime passes every case, with both schema versions", async () => {
  assert.equal(await failures("none", CASES), []);
});

test("every mutant is known to the list of what catches it, and every case catches one", () => {
  assert.equal([...MUTANT_NAMES].sort(), Object.keys(CAUGHT_BY).sort());
  const caught = Object.values(CAUGHT_BY).flat();
  const blind = CASES.filter(({ id }) => !caught.some((wanted) => within(id, wanted)));
  assert.equal(
    blind.map(({ id }) => id),
    [],
  );
});

test("each mutant is caught by the cases that are meant to", async () => {
  const missed: string[] = [];
  const queue = Object.entries(CAUGHT_BY);
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [mutant, ids] = next;
      const cases = CASES.filter(({ id }) => ids.some((wanted) => within(id, wanted))).map(
        (one) => ({
          ...one,
          versions: one.versions.slice(-1),
          deadlineSeconds: Math.min(one.deadlineSeconds, 8), // a mutant that hangs is caught by it
        }),
      );
      const failed = new Set(await failures(mutant, cases, 2));
      for (const { id } of cases) if (!failed.has(id)) missed.push(`${mutant}: ${id}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));
  assert.equal(missed, []);
});

test.run();
