import { BundleError } from "../errors.ts";

/** More levels of lists and maps are a rejection. */
export const MAX_LEVELS = 100;

/** An error for text that is no readable YAML. */
export function yamlError(reason: string, line?: number): BundleError {
  const where = line === undefined ? "" : ` (line ${line + 1})`;
  return new BundleError("bad-metadata", `The metadata can't be read as YAML: ${reason}${where}.`);
}

/** The error for more than {@link MAX_LEVELS} levels. */
export function tooDeep(): BundleError {
  return yamlError(`it nests more than ${MAX_LEVELS} levels deep`);
}
