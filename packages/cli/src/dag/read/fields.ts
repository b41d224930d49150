import type { Py } from "../python/expression.ts";
import type { NamedArgument } from "./dag-facts.ts";
import type { Scope } from "./findings.ts";
import type { JsonMap } from "./json.ts";
import { UnwritableError } from "./unwritable-error.ts";

/** How one field of a serialised Dag or task becomes an argument. */
export interface Field {
  /** In the serialised form. */
  readonly key: string;
  /** Of the argument, where it is another one. */
  readonly name?: string;
  /** Throws a UnwritableError for what can't be written; undefined is not written. */
  readonly read: (value: unknown) => Py | undefined;
  /** What it is where nothing is said: not written then. */
  readonly initial?: unknown;
}

/** The arguments of the fields that are there, in the order of the fields. */
export function readFields(
  of: JsonMap,
  fields: readonly Field[],
  scope: Scope,
): readonly NamedArgument[] {
  const args: NamedArgument[] = [];
  for (const { key, name = key, read, initial } of fields) {
    const value = of[key];
    if (value === undefined || value === null || value === initial) continue;
    const py = attempt(() => read(value), scope, ` in ${key}`);
    if (py !== undefined) args.push([name, py]);
  }
  return args;
}

/** What is read, or undefined and a finding. */
export function attempt<T>(read: () => T, scope: Scope, at = ""): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnwritableError)) throw error;
    scope.refuse(`has ${error.message}${at}`);
    return undefined;
  }
}

/** Keys that nothing is made of, and that have something to say: each is a warning. */
export function warnOfOthers(of: JsonMap, known: ReadonlySet<string>, scope: Scope): void {
  for (const [key, value] of Object.entries(of)) {
    const isEmpty =
      value === null ||
      value === undefined ||
      value === false ||
      (typeof value === "object" && Object.keys(value).length === 0);
    if (!known.has(key) && !isEmpty) scope.warn(`${key} has no place in the Python file`);
  }
}
