/**
 * What went wrong with a bundle.
 *
 * Reading: `no-footer` (too small, or the file does not end with the magic), `bad-version`,
 * `reserved-bytes`, `out-of-bounds` (regions start before the file), `no-executable` (nothing is
 * left for the executable region), `digest-mismatch`, `bad-metadata` (not YAML, not a map, or over
 * a limit), `bad-sources` (the index of embedded sources), `bad-layout` (of a Node bundle),
 * `changed` (the file changed while it was read).
 * Packing: `bad-executable` (a change that it can't take), `already-packed`, `empty-executable`, `not-a-file`, `same-file`, `is-directory`,
 * `too-large`, `bad-metadata`, `cannot-write`.
 * Both: `cannot-read`.
 */
export type BundleErrorCode =
  | "no-footer"
  | "bad-version"
  | "reserved-bytes"
  | "out-of-bounds"
  | "no-executable"
  | "digest-mismatch"
  | "bad-metadata"
  | "bad-sources"
  | "bad-layout"
  | "changed"
  | "bad-executable"
  | "already-packed"
  | "empty-executable"
  | "not-a-file"
  | "same-file"
  | "is-directory"
  | "too-large"
  | "cannot-read"
  | "cannot-write";

/** A bundle that can't be read or written; see {@link BundleErrorCode}. */
export class BundleError extends Error {
  readonly code: BundleErrorCode;
  /** The file in question, where there is one. */
  readonly path: string | undefined;

  constructor(
    code: BundleErrorCode,
    message: string,
    options: ErrorOptions & { readonly path?: string | undefined } = {},
  ) {
    super(message, options);
    this.code = code;
    this.path = options.path;
  }
}

Object.defineProperty(BundleError.prototype, "name", { value: "BundleError" });

/** The reason of an error in one short line, with the system's code where there is one. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof BundleError || code === undefined) return error.message;
  // Node's own message repeats the path; the caller names it already.
  return error.message.replace(/, \w+( '.*')?$/s, "");
}
