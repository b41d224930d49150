import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { type ConformanceCase, loadCases, runSuite } from "@parlance/conformance";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { oneVersionEach } from "./support/one-version-each.ts";

const at = (path: string): string =>
  fileURLToPath(new URL(`../../test/conformance/fixtures/reference/${path}`, import.meta.url));
const { CAUGHT_BY } = (await import(at("caught-by.mjs"))) as {
  CAUGHT_BY: { readonly [mutant: string]: readonly string[] };
};
const { MUTANT_NAMES, faultOf } = (await import(at("mutants.mjs"))) as {
  MUTANT_NAMES: readonly string[];
  faultOf: (name: string) => { readonly bundle?: string };
};
const { packReference } = (await import(at("pack-reference.mjs"))) as {
  packReference: (folder: string, fault?: string) => Promise<string>;
};
const folder = temporaryFolder("parlance-conformance");
const SOUND_BUNDLE = await packReference(folder);

const CASES = oneVersionEach(loadCases());
const within = (id: string, wanted: string): boolean =>
  id === wanted || id.startsWith(`${wanted}/`);

/** Runs a mutant (or the sound runtime) and gives the ids of the cases it fails. */
async function failures(
  mutant: string,
  cases: readonly ConformanceCase[],
  jobs = 2 * availableParallelism(),
): Promise<readonly string[]> {
  const { bundle } = faultOf(mutant);
  const verdicts = await runSuite({
    runtime: {
      argv: [bundle === undefined ? SOUND_BUNDLE : await packReference(folder, bundle)],
      env: { MUTANT: mutant },
    },
    cases,
    isDeclared: () => true,
    jobs,
  });
  return verdicts.filter(({ outcome }) => outcome === "failed").map((one) => one.case.id);
}

test("the sound runtime passes every case", async () => {
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
          ...(one.startupSeconds !== undefined && { startupSeconds: 3 }),
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
