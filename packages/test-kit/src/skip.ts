import type { Test, uvu } from "uvu";

/**
 * Registers a test that cannot run on this machine.
 *
 * It is counted as skipped, with its reason in the run's output; under `CI=true` it
 * fails instead, so that CI never passes by leaving something out.
 *
 * @param reason - what the machine lacks, in one line
 */
export function skip<T>(test: Test<T>, name: string, reason: string): void {
  const oneLine = reason.replaceAll("\n", " ");
  if (process.env["CI"] === "true") {
    const fail: uvu.Callback<T> = () => {
      throw new Error(`missing under CI=true: ${oneLine}`);
    };
    test(name, fail);
    return;
  }
  console.log(`# skip: ${name}: ${oneLine}`);
  test.skip(name, () => {});
}
