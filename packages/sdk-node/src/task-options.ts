import { RegistrationError } from "./errors.ts";
import { kindOf } from "./outcomes/check-arguments.ts";
import type { TaskOptions } from "./task-handler.ts";

/** Node's timers end at once beyond 2^31 ms; some is left for the time after the timeout. */
const MAX_TIMEOUT_MS = 24 * 86_400_000;

/** What each option must be; others are refused, since a misspelt one would do nothing. */
const OPTIONS: { readonly [name: string]: readonly [(value: unknown) => boolean, string] } = {
  executionTimeoutMs: [
    (value) => typeof value === "number" && value > 0 && value <= MAX_TIMEOUT_MS,
    "milliseconds above 0, at most 24 days of them",
  ],
  mapsDownstream: [(value) => typeof value === "boolean", "true or false"],
  multipleOutputs: [(value) => typeof value === "boolean", "true or false"],
  retryPolicy: [(value) => typeof value === "function", "a function"],
};

/**
 * @param dagId - and `taskId`: as they are to be shown
 * @returns a copy with nothing in it that is undefined
 * @throws RegistrationError `bad-option`
 */
export function checkTaskOptions(options: unknown, dagId: string, taskId: string): TaskOptions {
  const refuse = (what: string): never => {
    const message = `bundle.task(${dagId}, ${taskId}, options, …): ${what}`;
    throw new RegistrationError("bad-option", message);
  };
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    return refuse(`options are ${options === null ? "null" : typeof options}, expected an object`);
  }
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    const [isRight, expected] = Object.hasOwn(OPTIONS, name) ? (OPTIONS[name] ?? []) : [];
    if (isRight === undefined) {
      refuse(`there is no option ${name}; there are ${Object.keys(OPTIONS).join(", ")}`);
    } else if (!isRight(value)) {
      refuse(`${name} is ${kindOf(value)}, expected ${expected}`);
    }
  }
  return Object.freeze(Object.fromEntries(given)) as TaskOptions;
}
