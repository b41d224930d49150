import { ResultsError } from "../errors.ts";
import type { DatabaseOptions } from "./options.ts";

type Check = readonly [expected: string, holds: (value: unknown) => boolean];

const count = (least: number): Check => [
  `a whole number of at least ${least}`,
  (value) => Number.isSafeInteger(value) && (value as number) >= least,
];

/** The longest time a timer takes. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const time: Check = [
  `milliseconds from 0 to ${MAX_TIMER_MS}`,
  (value) => typeof value === "number" && value >= 0 && value <= MAX_TIMER_MS,
];
const flag: Check = ["true or false", (value) => typeof value === "boolean"];
const hook: Check = ["a function", (value) => typeof value === "function"];
const object: Check = ["an object", (value) => typeof value === "object" && value !== null];

const CHECKS: { readonly [Name in keyof DatabaseOptions]: Check } = {
  createTables: [
    '"at-setup", "lazily" or "never"',
    (value) => value === "at-setup" || value === "lazily" || value === "never",
  ],
  poolSize: count(1),
  poolTimeoutMs: time,
  recycleSeconds: [
    "seconds, 0 or more",
    (value) => typeof value === "number" && value >= 0 && Number.isFinite(value),
  ],
  prePingIdleMs: [`false or ${time[0]}`, (value) => value === false || time[1](value)],
  shortLived: flag,
  signal: ["an AbortSignal", (value) => value instanceof AbortSignal],
  connectTimeoutMs: time,
  busyTimeoutMs: time,
  beforeConnect: hook,
  driverOptions: object,
  sqlite: object,
  alwaysRetry: flag,
  maxRetries: count(0),
  onWarning: hook,
  onStatement: hook,
};

/**
 * Checks the values of the options that are given; ones of other parts pass.
 *
 * @throws ResultsError `bad-option` with the option as `field`
 */
export function checkOptions(options: DatabaseOptions): void {
  if (typeof options !== "object" || options === null) {
    throw new ResultsError(
      "bad-option",
      `The options are a ${typeof options}; they are an object.`,
    );
  }
  for (const [name, [expected, holds]] of Object.entries(CHECKS)) {
    const value = options[name as keyof DatabaseOptions];
    if (value === undefined || holds(value)) continue;
    const shown = typeof value === "object" ? "an object" : String(value);
    throw new ResultsError("bad-option", `The option ${name} is ${shown}; it takes ${expected}.`, {
      facts: { field: name },
    });
  }
}
