import type { ConformanceCase } from "@parlance/conformance";
import { SCHEMA_VERSIONS } from "@parlance/protocol";
import { isLongRun } from "@parlance/test-kit";

/**
 * Leaves each case one of its schema versions, in turn: what differs between them has cases of its own, and every run
 * costs a process. The long run has all of them.
 */
export function oneVersionEach(cases: readonly ConformanceCase[]): readonly ConformanceCase[] {
  if (isLongRun()) return cases;
  return cases.map((one, at) => {
    const version = one.versions[at % one.versions.length] ?? SCHEMA_VERSIONS[0];
    return { ...one, versions: [version] };
  });
}
