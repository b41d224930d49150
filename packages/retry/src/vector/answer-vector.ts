import { checkObject } from "../check-arguments.ts";
import { pythonFloat } from "../conversions/python-number.ts";
import { schedulerTask } from "../conversions/scheduler-task.ts";
import type { PythonValue } from "../conversions/values.ts";
import { nextRetry } from "../delay/next-retry.ts";
import { describe, RetryError, type RetryErrorCode } from "../errors.ts";
import { retryHashText } from "../hash/retry-hash-text.ts";
import { checkMicroseconds, type Microseconds } from "../time/duration.ts";
import { Instant } from "../time/instant.ts";
import type { RetryVector } from "./retry-vector.ts";

/** What the scheduler holds, and what it makes of it. */
export interface VectorDelay {
  readonly delayUs: bigint;
  /** In UTC. */
  readonly nextRetry: Instant;
  readonly multiplier: number | bigint;
  readonly retryDelayUs: Microseconds;
  readonly maxRetryDelayUs: Microseconds | null;
  readonly hashText: string;
}

/** Why there is no delay. */
export interface VectorError {
  readonly error: RetryErrorCode;
  readonly message: string;
  /**
   * `rejected`: refused while the task was built or its Dag loaded. `unreadable`: the mapped task
   * is there, but its multiplier can't be read. `failed`: the calculation itself.
   */
  readonly stage: "rejected" | "unreadable" | "failed";
}

/** The scheduler's task as far as the calculation looks at it. */
interface Task {
  readonly multiplier: unknown;
  readonly retryDelayUs: Microseconds;
  readonly maxRetryDelayUs: Microseconds | null;
}

/**
 * Answers one {@link RetryVector} as the real software does, from the values of the Dag file on.
 *
 * Never throws a RetryError: what is wrong with the input is the answer.
 */
export function answerVector(vector: RetryVector): VectorDelay | VectorError {
  let stage: VectorError["stage"] = "rejected";
  try {
    checkObject(vector, "the vector");
    const dates = readDates(vector);
    const task = readTask(vector);
    stage = "unreadable";
    const multiplier = task.multiplier as number;
    stage = "failed";
    const { retryDelayUs, maxRetryDelayUs } = task;
    const input = { ...readIds(vector), ...dates, multiplier, retryDelayUs, maxRetryDelayUs };
    const globalCap = readSpecial(vector.max_task_retry_delay_s ?? null) as number | bigint | null;
    const hashText = retryHashText(input);
    const { delayUs, nextRetry: next } = nextRetry({
      ...input,
      ...(globalCap === null ? {} : { maxTaskRetryDelaySeconds: globalCap }),
      overrideSeconds: readOverride(vector.override_seconds),
    });
    return {
      delayUs,
      nextRetry: next.toUtc(),
      multiplier,
      retryDelayUs,
      maxRetryDelayUs,
      hashText,
    };
  } catch (error) {
    if (!(error instanceof RetryError)) throw error;
    return { error: error.code, message: error.message, stage };
  }
}

function readTask(vector: RetryVector): Task {
  const retryDelayUs = readDelay(vector.retry_delay_us, "retry_delay_us");
  const maxRetryDelayUs = readDelay(vector.max_retry_delay_us, "max_retry_delay_us");
  const multiplier = readSpecial(vector.multiplier);
  if (vector.layer === "direct") return directTask(retryDelayUs, maxRetryDelayUs, multiplier);
  return schedulerTask(
    {
      retryDelay: retryDelayUs === null ? null : { us: retryDelayUs },
      maxRetryDelay: maxRetryDelayUs === null ? null : { us: maxRetryDelayUs },
      ...(multiplier === "$default" ? {} : { retryExponentialBackoff: multiplier }),
    },
    vector.layer === "mapped" ? "operator-mapped" : "operator",
  );
}

/** Values that went through no conversion: True and False count as the ints 1 and 0. */
function directTask(
  retryDelayUs: Microseconds | null,
  maxRetryDelayUs: Microseconds | null,
  multiplier: PythonValue,
): Task {
  if (retryDelayUs === null) {
    throw new RetryError("wrong-type", "retry_delay_us is null; the direct layer needs a number");
  }
  const number = typeof multiplier === "boolean" ? Number(multiplier) : multiplier;
  return { retryDelayUs, maxRetryDelayUs, multiplier: number };
}

function readDates(vector: RetryVector): {
  logicalDate: Instant | null;
  endDate: Instant | null;
  logicalDateOffset: "utc" | "kept";
} {
  const stored = vector.layer !== "memory";
  const [logicalDate, endDate] = [vector.logical_date, vector.end_date].map((text) => {
    if (text === null) return null;
    if (!stored && typeof text === "string" && text.endsWith("]")) {
      throw new RetryError(
        "bad-input",
        `the date ${describe(text)} names a zone; write its offset alone in the memory layer`,
      );
    }
    const instant = Instant.from(text);
    return stored ? instant.toUtc() : instant;
  }) as [Instant | null, Instant | null];
  return { logicalDate, endDate, logicalDateOffset: stored ? "utc" : "kept" };
}

function readIds(vector: RetryVector): { dagId: string; taskId: string; tryNumber: number } {
  return { dagId: vector.dag_id, taskId: vector.task_id, tryNumber: vector.try_number };
}

function readDelay(value: unknown, name: string): Microseconds | null {
  if (value === null || value === undefined) return null;
  return checkMicroseconds(readSpecial(value) as Microseconds, name);
}

function readOverride(value: unknown): number | bigint | null {
  const seconds = readSpecial(value ?? null);
  if (seconds === null || typeof seconds === "number" || typeof seconds === "bigint")
    return seconds;
  if (typeof seconds === "boolean") return Number(seconds);
  throw new RetryError("wrong-type", `override_seconds is ${describe(seconds)}; expected a number`);
}

function readSpecial(value: unknown): PythonValue {
  if (typeof value !== "object" || value === null) return value as PythonValue;
  const { $f, $int } = value as { readonly $f?: unknown; readonly $int?: unknown };
  if (typeof $int === "string" && /^-?\d{1,4300}$/.test($int)) return BigInt($int);
  if (typeof $f === "string") {
    const number = pythonFloat($f);
    if (number !== undefined) return number;
  }
  return value;
}
