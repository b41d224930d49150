import type { CaseVerdict } from "./run/run-suite.ts";

/** Cases that a runtime is known to fail, read from a file. */
export type KnownFailing = ReadonlySet<string>;

/** A list of known failures names a case that there is not. */
export class KnownFailingError extends Error {}
Object.defineProperty(KnownFailingError.prototype, "name", { value: "KnownFailingError" });

/**
 * Reads a list of known failures: the id of a case a line, or the beginning of ids with `/*` behind it; `#` begins a
 * comment. They are run all the same, and one that passes fails the run, so that the list can't rot.
 *
 * @param ids - of the cases there are
 * @throws KnownFailingError for a line that fits no case
 */
export function readKnownFailing(text: string, ids: readonly string[]): KnownFailing {
  const known = new Set<string>();
  for (const [at, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.replace(/#.*/, "").trim();
    if (line === "") continue;
    const fits = line.endsWith("/*")
      ? ids.filter((id) => id.startsWith(line.slice(0, -1)))
      : ids.filter((id) => id === line);
    if (fits.length === 0) {
      throw new KnownFailingError(`line ${at + 1}: there is no case ${JSON.stringify(line)}`);
    }
    for (const id of fits) known.add(id);
  }
  return known;
}

/** Cases of the list that passed with every schema version they were run with. */
export function unexpectedPasses(
  known: KnownFailing,
  verdicts: readonly CaseVerdict[],
): readonly string[] {
  return [...known].filter((id) => {
    const ran = verdicts.filter((one) => one.case.id === id && one.outcome !== "not-declared");
    return ran.length > 0 && ran.every(({ outcome }) => outcome === "passed");
  });
}
