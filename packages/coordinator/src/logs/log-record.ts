/** The levels of a record, lowest first. */
export type LogLevel = "debug" | "info" | "warning" | "error" | "critical";

/**
 * One record of an attempt. Everything in it is JSON.
 *
 * `timestamp` is ISO 8601; it is null or "" only where the child sent just that. `logger` is `task`
 * where the child named none, `task.stdout` and `task.stderr` for lines the process printed, and
 * `parlance.supervisor` for what the coordinator itself has to say. `event` is text, or whatever
 * JSON the child sent.
 */
export interface LogRecord {
  readonly timestamp: string | null;
  readonly level: LogLevel;
  readonly logger: string;
  readonly event: unknown;
  readonly [field: string]: unknown;
}

/**
 * Takes the records of one attempt, one at a time, in order of arrival. While a returned promise is
 * pending the coordinator takes nothing further from the child's log socket, stdout and stderr; its
 * requests go on. An attempt settles only when its sink has taken everything, or has not settled for
 * `logSinkTimeoutMs`: it is then left alone until it has. A sink that throws or
 * rejects is called again for the next record, and the first error is in {@link TaskResult.logError}.
 */
export interface LogSink {
  write(record: LogRecord): void | Promise<void>;
  /**
   * Called when an attempt has no more records; it settles after that. For sinks that keep something
   * back. A failure is told like one of `write`.
   */
  flush?(): void | Promise<void>;
}

/** The logger name of the coordinator's own records. */
export const SUPERVISOR_LOGGER = "parlance.supervisor";

/** A moment as stock writes it into a task log: UTC with six digits of a second. */
export function logTimestamp(moment: Date): string {
  return moment.toISOString().replace("Z", "000Z");
}

/** A record of the coordinator itself. */
export function supervisorRecord(
  now: Date,
  level: LogLevel,
  event: string,
  fields: { readonly [field: string]: unknown } = {},
): LogRecord {
  return { ...fields, timestamp: logTimestamp(now), level, logger: SUPERVISOR_LOGGER, event };
}
