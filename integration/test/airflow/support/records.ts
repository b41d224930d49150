import type { HarnessLogRecord } from "@parlance/test-kit";

/** What a user reads in a task log: no time stamp, nor what 3.4 adds to every line. */
export function readable(records: readonly HarnessLogRecord[]): object[] {
  return records.map(({ timestamp: _timestamp, ti_id: _tiId, ...rest }) => rest);
}

/** `level event` of every record. */
export function lines(records: readonly HarnessLogRecord[]): string[] {
  return records.map(({ level, event }) => `${level} ${String(event)}`);
}
