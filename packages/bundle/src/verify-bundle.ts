import type { ReadOptions } from "./bundle-report.ts";
import type { BundleProblem } from "./metadata/check-metadata.ts";
import { readBundle } from "./read-bundle.ts";

/**
 * Checks one bundle: footer strict, digest of the executable region equal, metadata a map.
 * `warnings` are what Airflow would mind besides; they do not make a bundle bad.
 *
 * @throws BundleError `cannot-read`, `not-a-file`, `changed`
 */
export async function verifyBundle(
  path: string,
  options: ReadOptions = {},
): Promise<{
  readonly verified: boolean;
  readonly faults: readonly BundleProblem[];
  readonly warnings: readonly BundleProblem[];
}> {
  const { verified, problems } = await readBundle(path, options);
  return {
    verified,
    faults: problems.filter((problem) => problem.fault),
    warnings: problems.filter((problem) => !problem.fault),
  };
}
