import { InvalidArgumentError } from "commander";

/** A timer takes at most 2^31-1 milliseconds. */
const MAX_TIMER_SECONDS = 2_147_483;

/** A parser of options that take a whole number. */
export function wholeNumber(
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): (word: string) => number {
  return (word) => {
    const value = Number(word);
    if (/^\d+$/.test(word) && value >= least && value <= most) return value;
    const end = most === Number.MAX_SAFE_INTEGER ? "up" : `to ${most}`;
    throw new InvalidArgumentError(`It takes a whole number from ${least} ${end}.`);
  };
}

/** A time to wait in seconds, with or without a fraction. */
export function waitSeconds(options: { readonly mayBeZero: boolean }): (word: string) => number {
  return (word) => {
    const value = plainNumber(word);
    if (value <= MAX_TIMER_SECONDS && (value > 0 || (value === 0 && options.mayBeZero))) {
      return value;
    }
    const least = options.mayBeZero ? "0 or more" : "more than 0";
    throw new InvalidArgumentError(`It takes seconds, ${least}, at most ${MAX_TIMER_SECONDS}.`);
  };
}

/** By what waits are multiplied: 0 to 1000, with or without a fraction. */
export function timeScale(word: string): number {
  const value = plainNumber(word);
  if (value >= 0 && value <= 1_000) return value;
  throw new InvalidArgumentError("It takes a number from 0 to 1000.");
}

/** An age in seconds, with or without a fraction; up to a thousand years. */
export function ageSeconds(word: string): number {
  const value = plainNumber(word);
  if (value >= 0 && value <= 31_556_952_000) return value;
  throw new InvalidArgumentError("It takes an age in seconds, 0 or more.");
}

/** Gathers the words of an option that may be repeated. */
export function collect(word: string, before: readonly string[] = []): readonly string[] {
  return [...before, word];
}

function plainNumber(word: string): number {
  return /^\d+(\.\d+)?$/.test(word) ? Number(word) : Number.NaN;
}
