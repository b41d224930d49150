import { constants } from "node:os";

/** How a process ended. */
export interface ExitStatus {
  /** 0..255, or the negative number of the signal that ended it. */
  readonly exitCode: number;
}

/** Reads Node's pair of exit code and signal name. */
export function toExitStatus(code: number | null, signal: NodeJS.Signals | null): ExitStatus {
  if (signal !== null) return { exitCode: -constants.signals[signal] };
  return { exitCode: code ?? -1 };
}

/** For people: `exit code 3`, or `signal SIGKILL (-9)`. */
export function describeExit(exitCode: number): string {
  if (exitCode >= 0) return `exit code ${exitCode}`;
  const name = Object.entries(constants.signals).find(([, number]) => number === -exitCode)?.[0];
  return `signal ${name ?? "unknown"} (${exitCode})`;
}
