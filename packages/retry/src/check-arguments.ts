import { describe, RetryError } from "./errors.ts";
import { Instant, type InstantInput } from "./time/instant.ts";

// The compiler holds callers to their types; plain JavaScript hands over anything.

/** @throws {@link RetryError} `bad-input` */
export function checkObject(value: unknown, name: string): void {
  if (typeof value !== "object" || value === null) refuse(name, value, "an object");
}

/** @throws {@link RetryError} `bad-input` */
export function checkText(value: unknown, name: string): void {
  if (typeof value !== "string") refuse(name, value, "text");
}

/** @throws {@link RetryError} `bad-input` */
export function checkWhole(value: unknown, name: string): void {
  if (!Number.isSafeInteger(value)) refuse(name, value, "a whole number");
}

/** @throws {@link RetryError} `bad-input` */
export function checkTryNumber(value: unknown, name = "tryNumber"): void {
  if (Number.isSafeInteger(value)) return;
  refuse(name, value, "the whole number of an attempt, 1 for the first");
}

/**
 * An instant that was given as this argument.
 *
 * @throws {@link RetryError} those of `Instant.from`, with the argument's name
 */
export function readInstant(value: InstantInput, name: string): Instant {
  try {
    return Instant.from(value);
  } catch (cause) {
    if (!(cause instanceof RetryError)) throw cause;
    throw new RetryError(cause.code, `${name}: ${cause.message}`, { cause });
  }
}

function refuse(name: string, value: unknown, expected: string): never {
  throw new RetryError("bad-input", `${name} is ${describe(value)}; expected ${expected}`);
}
