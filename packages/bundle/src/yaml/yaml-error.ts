import { BundleError } from "../errors.ts";
import { PythonFailure } from "../metadata/python-failure.ts";

/** More levels of lists and maps are a rejection. */
export const MAX_LEVELS = 100;

/** An error for text that is no readable YAML. */
export function yamlError(reason: string, line?: number): BundleError {
  const where = line === undefined ? "" : ` (line ${line + 1})`;
  return new BundleError("bad-metadata", `The metadata can't be read as YAML: ${reason}${where}.`);
}

/** The error for more than {@link MAX_LEVELS} levels. */
export function tooDeep(): BundleError {
  const { code, message } = yamlError(`it nests more than ${MAX_LEVELS} levels deep`);
  return new BundleError(code, message, { cause: new PythonFailure("RecursionError") });
}
