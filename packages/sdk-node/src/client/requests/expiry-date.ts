import { Timestamp } from "@parlance/framing";
import { InvalidRequestError } from "../../errors.ts";
import type { KeepOptions } from "../api/state-stores.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

/**
 * When a value of the task's state expires; null is never. What is to be taken by default is a
 * setting of the worker, which reaches this process only when it is set by a variable.
 *
 * @throws InvalidRequestError `invalid-request`
 */
export function expiryDate(
  { keepForMs = defaultKeepMs() }: KeepOptions,
  now: number = Date.now(),
): Timestamp | null {
  if (keepForMs === null) return null;
  const date = new Date(now + keepForMs);
  if (typeof keepForMs === "number" && !Number.isNaN(date.getTime()))
    return Timestamp.fromDate(date);
  const message = `keepForMs is ${String(keepForMs)}, expected a number of milliseconds, or null for ever`;
  throw new InvalidRequestError("invalid-request", "/keepForMs", message);
}

function defaultKeepMs(): number | null {
  const days = Number.parseInt(
    process.env["AIRFLOW__STATE_STORE__DEFAULT_RETENTION_DAYS"] ?? String(DEFAULT_DAYS),
    10,
  );
  return days === 0 ? null : (days > 0 ? days : DEFAULT_DAYS) * DAY_MS;
}
