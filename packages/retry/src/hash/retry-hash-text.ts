import { checkObject, checkText, checkTryNumber, readInstant } from "../check-arguments.ts";
import { formatLocal } from "../time/format-local.ts";
import type { InstantInput } from "../time/instant.ts";

/** What the jitter of a wait is drawn from. */
export interface RetryHashInput {
  readonly dagId: string;
  /** The full id, with the prefix of its task groups. */
  readonly taskId: string;
  /** Null for a run without one (manual, or triggered by an asset). */
  readonly logicalDate: InstantInput | null;
  /** Of the attempt that has failed, 1 for the first. */
  readonly tryNumber: number;
  /**
   * `utc` (default): as for a run that was stored and loaded, which a scheduler always has.
   * `kept`: in the offset of `logicalDate`, as for an object that never was in the database.
   */
  readonly logicalDateOffset?: "utc" | "kept";
}

/**
 * The text whose SHA-1 decides the jitter: `<dag>#<task>#<logical date>#<try number>`, unescaped.
 *
 * The date is `YYYY-MM-DD HH:MM:SS[.ffffff]+00:00`, or the four letters `None`. Map index, run id,
 * queue and end date have no part in it.
 *
 * @throws RetryError `bad-input` for an id that is no text or a try number that is not whole; `bad-date` and
 *   `naive-date` for the logical date
 */
export function retryHashText(input: RetryHashInput): string {
  checkObject(input, "the input");
  const { dagId, taskId, logicalDate, tryNumber, logicalDateOffset } = input;
  checkText(dagId, "dagId");
  checkText(taskId, "taskId");
  checkTryNumber(tryNumber);
  let date = "None";
  if (logicalDate !== null) {
    const instant = readInstant(logicalDate, "logicalDate");
    date = formatLocal(logicalDateOffset === "kept" ? instant : instant.toUtc(), " ", false);
  }
  // Joined, it is in one piece in memory and quicker to hash than a template.
  return [dagId, taskId, date, tryNumber].join("#");
}
