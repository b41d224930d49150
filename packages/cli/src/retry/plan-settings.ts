import {
  CORE_DEFAULTS,
  Instant,
  microsecondsOfSeconds,
  RetryError,
  type RetryPlanInput,
  type TaskDescription,
} from "@parlance/retry";
import { CliError, ExitCode } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import { readTaskFile } from "./read-task-file.ts";

/** The words of `parlance retry plan`, as they were typed. */
export interface PlanFlags {
  readonly retryDelay?: string;
  readonly multiplier?: string;
  readonly tries?: string;
  readonly dag: string;
  readonly task?: string;
  readonly logicalDate?: string;
  readonly endDate?: string;
  readonly maxRetryDelay?: string;
  readonly maxTaskRetryDelay?: string;
  readonly firstTry?: string;
  readonly runTime?: string;
  readonly fromTask?: string;
  readonly svg?: string;
  readonly json?: boolean;
}

/** What is planned, with every default filled in. */
export interface PlanSettings extends RetryPlanInput {
  readonly retryDelayUs: bigint;
  readonly multiplier: number;
  readonly logicalDate: Instant | null;
  readonly endDate: Instant | null;
  readonly maxRetryDelayUs: bigint | null;
  readonly maxTaskRetryDelaySeconds: number;
  readonly firstTryNumber: number;
  readonly attemptUs: bigint;
}

const DEFAULT_DELAY_US = BigInt(CORE_DEFAULTS.defaultTaskRetryDelaySeconds) * 1_000_000n;

/**
 * Reads the flags, and the task's own settings where they come from a file.
 *
 * @throws CliError `usage` (2), and 65 for the file
 */
export async function readPlanSettings(flags: PlanFlags, io: CommandIo): Promise<PlanSettings> {
  // Left empty by a variable that is not set; no Dag and no task has such an id.
  if (flags.dag === "") throw usage("--dag", "is empty");
  if (flags.task === "") throw usage("--task", "is empty");
  const task =
    flags.fromTask === undefined ? undefined : await readTaskFile(io, flags.fromTask, flags.task);
  const taskId = task?.taskId ?? flags.task;
  if (taskId === undefined) {
    throw usage("--task", "is missing: its id is a part of what the jitter is made of");
  }
  return {
    dagId: flags.dag,
    taskId,
    retryDelayUs: delayOf(flags, task),
    multiplier: multiplierOf(flags, task),
    tries: triesOf(flags, task),
    logicalDate: date(flags.logicalDate, "--logical-date", "none"),
    endDate: date(flags.endDate, "--end-date"),
    maxRetryDelayUs: optional(flags.maxRetryDelay, null, (word) =>
      seconds(word, "--max-retry-delay"),
    ),
    maxTaskRetryDelaySeconds: optional(
      flags.maxTaskRetryDelay,
      CORE_DEFAULTS.maxTaskRetryDelaySeconds,
      (word) => whole(word, "--max-task-retry-delay", Number.MIN_SAFE_INTEGER),
    ),
    firstTryNumber: optional(flags.firstTry, 1, (word) => whole(word, "--first-try", 1)),
    attemptUs: optional(flags.runTime, 0n, (word) => seconds(word, "--run-time")),
  };
}

/** Whether the waits grow; else each is the delay, without jitter and caps. */
export function hasBackoff({ multiplier }: PlanSettings): boolean {
  return multiplier > 0 && multiplier !== 1;
}

function delayOf(flags: PlanFlags, task: TaskDescription | undefined): bigint {
  if (flags.retryDelay !== undefined) return seconds(flags.retryDelay, "--retry-delay");
  return task?.retryDelayUs == null ? DEFAULT_DELAY_US : BigInt(task.retryDelayUs);
}

function multiplierOf(flags: PlanFlags, task: TaskDescription | undefined): number {
  if (flags.multiplier !== undefined) return multiplier(flags.multiplier);
  const shown = task?.retryExponentialBackoff;
  if (typeof shown === "boolean") return shown ? 2 : 0;
  if (typeof shown !== "number") return 0;
  if (!Number.isNaN(shown)) return shown;
  const message =
    "the API answers null for the multiplier, which is NaN (then every wait is the delay) or " +
    "infinite; it does not say which: give --multiplier.";
  throw new CliError("bad-resource", message, ExitCode.badInput, {
    field: "retry_exponential_backoff",
  });
}

function triesOf(flags: PlanFlags, task: TaskDescription | undefined): number {
  if (flags.tries === undefined) {
    return Math.max(0, task?.retries ?? CORE_DEFAULTS.defaultTaskRetries) + 1;
  }
  const tries = whole(flags.tries, "--tries", 1);
  if (tries <= 10_000) return tries;
  throw usage("--tries", `is ${tries}; at most 10000 can be planned`);
}

function optional<T, Default>(
  word: string | undefined,
  byDefault: Default,
  read: (word: string) => T,
): T | Default {
  return word === undefined ? byDefault : read(word);
}

function multiplier(word: string): number {
  if (/^(true|false)$/i.test(word)) {
    const number = word.toLowerCase() === "true" ? 2 : 0;
    throw usage(
      "--multiplier",
      `is ${word}; it takes a number: ${number} is what ${word} stood for`,
    );
  }
  if (/^[+-]?nan$/i.test(word)) {
    throw usage("--multiplier", "is NaN, which Airflow takes for a fixed delay: give 0");
  }
  return decimal(word, "--multiplier", "a number, e.g. 2 or 1.5; 0 for a fixed delay");
}

function seconds(word: string, flag: string): bigint {
  const value = decimal(word, flag, "seconds, e.g. 300 or 0.5");
  return translated(flag, () => microsecondsOfSeconds(value, flag));
}

function decimal(word: string, flag: string, expected: string): number {
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(word) ? Number(word) : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw usage(flag, `is ${JSON.stringify(word)}; expected ${expected}`);
}

function whole(word: string, flag: string, least: number): number {
  const value = /^[+-]?\d+$/.test(word) ? Number(word) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= least) return value;
  const from = least === Number.MIN_SAFE_INTEGER ? "" : ` from ${least} on`;
  throw usage(flag, `is ${JSON.stringify(word)}; expected a whole number${from}`);
}

function date(word: string | undefined, flag: string, none?: string): Instant | null {
  if (word === undefined || (none !== undefined && word.toLowerCase() === none)) return null;
  return translated(flag, () => Instant.parse(word));
}

function translated<T>(flag: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RetryError)) throw error;
    throw new CliError("usage", `${flag}: ${error.message}`, ExitCode.usage, {}, { cause: error });
  }
}

function usage(flag: string, what: string): CliError {
  return new CliError("usage", `${flag} ${what}. See --help.`, ExitCode.usage);
}
