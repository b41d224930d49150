import { describe, RetryError } from "../errors.ts";
import type { Microseconds } from "../time/duration.ts";

/** Where in a Dag file a value is written: it decides what is checked and converted. */
export type ConstructorPlace =
  /** `BashOperator(…)` and every other class of an operator */
  | "operator"
  /** `BashOperator.partial(…).expand(…)` */
  | "operator-mapped"
  /** `@task(…)` */
  | "task"
  /** `@task(…)` and then `.expand(…)` */
  | "task-mapped";

/** A Python timedelta. */
export interface TimeDeltaValue {
  readonly us: Microseconds;
}

/**
 * A value of Python as the conversions take it: `null` is None, a `bigint` an int of any size, a
 * `number` a float or an int. Anything else is of a wrong type everywhere.
 */
export type PythonValue = null | boolean | number | bigint | string | TimeDeltaValue | object;

/** A stored multiplier, as in the JSON of a serialised Dag; undefined when the field is absent. */
export type StoredMultiplier = undefined | null | boolean | number | bigint | string | object;

/** A stored duration: seconds in a plain task, encoded in a mapped one; undefined when absent. */
export type StoredDelay =
  | undefined
  | number
  | { readonly __type: "timedelta"; readonly __var: number };

const PLACES: readonly unknown[] = ["operator", "operator-mapped", "task", "task-mapped"];

/** @throws {@link RetryError} `bad-input` */
export function checkPlace(place: ConstructorPlace): void {
  if (PLACES.includes(place)) return;
  const expected = `expected one of ${PLACES.join(", ")}`;
  throw new RetryError("bad-input", `the place is ${describe(place)}; ${expected}`);
}

/** Whether it is meant as a timedelta; its `us` may still be no whole number. */
export function isTimeDelta(value: unknown): value is TimeDeltaValue {
  return typeof value === "object" && value !== null && "us" in value;
}
