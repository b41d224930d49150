import type { ValueSchema } from "./argument-binding.ts";

/** Says what of a value is not as the schema wants it; undefined when nothing is. */
export function findMismatch(_value: unknown, _schema: ValueSchema): string | undefined {
  return undefined;
}
