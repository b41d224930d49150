import { replaceFile, type WriteBytes } from "../replace-file.ts";
import { targetOf } from "../target-of.ts";
import { formatNodeBundle, type NodeBundleParts } from "./format-node-bundle.ts";

/** What to pack as a Node bundle, and where to. */
export interface PackNodeOptions extends NodeBundleParts {
  /** Replaced in one step when it is complete; a link is followed. Airflow looks only at names that end in `.min.mjs`. */
  readonly out: string;
  /** Permission bits; default 0644: Airflow gives the file to `node`. */
  readonly mode?: number | undefined;
  /** Aborting stops before the replacement; nothing is left behind. */
  readonly signal?: AbortSignal | undefined;
  /** For tests: how bytes get to the disk. */
  readonly writeBytes?: WriteBytes | undefined;
}

/**
 * Writes a Node bundle for Airflow 3.4's `NodeCoordinator`. On any failure the old file stays.
 *
 * @throws BundleError as of `formatNodeBundle`, and `is-directory`, `not-a-file`, `cannot-write`
 */
export async function packNodeBundle(
  options: PackNodeOptions,
): Promise<{ readonly path: string; readonly size: number }> {
  const { signal, writeBytes, mode = 0o644 } = options;
  const { bytes } = formatNodeBundle(options);
  const out = targetOf(options.out);
  await replaceFile({ out, mode, signal, writeBytes }, (put) => put(bytes));
  return { path: out, size: bytes.length };
}
