import { readProcFile } from "./proc-reader.ts";

/** What one process tells about itself. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parentPid: number;
  /** Process group; undefined where the system does not say (not Linux). */
  readonly groupId?: number | undefined;
  /** Session; undefined where the system does not say. */
  readonly sessionId?: number | undefined;
  /**
   * Start time in a unit of the system's own (clock ticks since boot on Linux): a number is the
   * same process only together with it, numbers are used again.
   */
  readonly startTime?: number | undefined;
  /** It has ended and waits to be reaped by its parent. */
  readonly isZombie: boolean;
}

/**
 * Parses a line of /proc/PID/stat. The command name stands in brackets and may itself hold blanks,
 * brackets and line ends, so fields are counted from the last closing bracket.
 */
function parseProcessStat(line: string): ProcessEntry | undefined {
  const close = line.lastIndexOf(")");
  const open = line.indexOf(" ");
  if (close < 0 || open < 0) return undefined;
  const fields = line.slice(close + 2).split(" ", 20);
  const [state, parentPid, groupId, sessionId] = fields;
  const entry = {
    pid: Number(line.slice(0, open)),
    parentPid: Number(parentPid),
    groupId: Number(groupId),
    sessionId: Number(sessionId),
    startTime: Number(fields[19]),
    isZombie: state === "Z" || state === "X",
  };
  return Number.isNaN(entry.pid + entry.parentPid + entry.startTime) ? undefined : entry;
}

/** Reads one process; undefined when it is gone. */
export function readProcessStat(procRoot: string, pid: number): ProcessEntry | undefined {
  const line = readProcFile(`${procRoot}/${pid}/stat`);
  return line === undefined ? undefined : parseProcessStat(line);
}
