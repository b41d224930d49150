import type { CaseVerdict } from "../run/run-suite.ts";
import { DIMENSIONS } from "./dimensions.ts";
import type { Capabilities } from "./read-capabilities.ts";

/** A dimension where a declaration and a run of the kit do not agree. */
export interface Disagreement {
  readonly dimension: string;
  readonly kind: "declared-but-failing" | "passing-but-not-declared" | "declared-but-not-tested";
  /** The cases that say so. */
  readonly cases: readonly string[];
}

/**
 * Holds a declaration against what a run of the kit saw of the runtime. A dimension without a case in the run is
 * `declared-but-not-tested` where it is declared: nothing is known of it.
 *
 * @param verdicts - of a run of all cases, those of undeclared dimensions too
 */
export function crossCheck(
  capabilities: Capabilities,
  verdicts: readonly Pick<CaseVerdict, "case" | "outcome">[],
): readonly Disagreement[] {
  return DIMENSIONS.flatMap(({ name, unseen }): Disagreement[] => {
    if (unseen !== undefined) return [];
    const about = verdicts.filter(({ case: { proves } }) => proves.includes(name));
    // What does not apply to this command, or on this machine, says nothing of the runtime.
    if (about.length > 0 && about.every(({ outcome }) => outcome === "not-applicable")) return [];
    const ran = about.filter(
      ({ outcome }) => outcome !== "not-declared" && outcome !== "not-applicable",
    );
    const failing = ran.filter(({ outcome }) => outcome === "failed");
    const declared = capabilities.dimensions.get(name)?.supported === true;
    const ids = (list: typeof about): string[] => [...new Set(list.map(({ case: { id } }) => id))];
    if (declared && failing.length > 0) {
      return [{ dimension: name, kind: "declared-but-failing", cases: ids(failing) }];
    }
    if (declared && ran.length === 0) {
      return [{ dimension: name, kind: "declared-but-not-tested", cases: [] }];
    }
    const passed = about.filter(({ outcome }) => outcome === "passed");
    const known = about.filter(({ outcome }) => outcome !== "not-applicable");
    if (!declared && passed.length > 0 && passed.length === known.length) {
      return [{ dimension: name, kind: "passing-but-not-declared", cases: ids(ran) }];
    }
    return [];
  });
}
