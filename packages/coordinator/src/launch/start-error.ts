import type { ForeignConnection } from "../accept/channel-acceptor.ts";
import { describeExit } from "./exit-status.ts";

/** Why a start failed. */
export type StartErrorCode =
  /** The system could not start the program (`errno` says why). */
  | "spawn-failed"
  /** The two listeners could not be opened (`errno` says why). */
  | "listen-failed"
  /** The launched process ended first (`exitCode`), whatever its exit code. */
  | "exited-before-connect"
  /** Not both connections within the start-up time. */
  | "startup-timeout"
  /** This system has no way to tell whose a connection is. */
  | "ownership-unavailable"
  /** The caller's signal. */
  | "aborted";

/** What a {@link StartError} is made of. */
export interface StartErrorDetails {
  readonly code: StartErrorCode;
  readonly argv: readonly string[];
  /** What was seen, one clause. */
  readonly happened: string;
  readonly hint?: string | undefined;
  readonly errno?: string | undefined;
  readonly pid?: number | undefined;
  readonly exitCode?: number | undefined;
  readonly stdoutTail?: string | undefined;
  readonly stderrTail?: string | undefined;
  readonly foreignConnections?: readonly ForeignConnection[] | undefined;
  readonly cause?: unknown;
}

/** How much of stderr goes into the message, in characters; `stderrTail` has more. */
const MESSAGE_STDERR = 2_000;

/** A task process could not be started, or did not connect. Nothing of it is left. */
export class StartError extends Error {
  readonly code: StartErrorCode;
  readonly argv: readonly string[];
  /** The system's error name, as `ENOENT`. */
  readonly errno: string | undefined;
  readonly pid: number | undefined;
  /** Of the launched process; negative for a signal. */
  readonly exitCode: number | undefined;
  /** The last 64 KiB of what it wrote. */
  readonly stdoutTail: string;
  readonly stderrTail: string;
  /** What to do about it. */
  readonly hint: string | undefined;
  /** Connections that were refused meanwhile (the first 20). */
  readonly foreignConnections: readonly ForeignConnection[];

  constructor(details: StartErrorDetails) {
    super(
      composeMessage(details),
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.code = details.code;
    this.argv = details.argv;
    this.errno = details.errno;
    this.pid = details.pid;
    this.exitCode = details.exitCode;
    this.stdoutTail = details.stdoutTail ?? "";
    this.stderrTail = details.stderrTail ?? "";
    this.hint = details.hint;
    this.foreignConnections = details.foreignConnections ?? [];
  }
}

Object.defineProperty(StartError.prototype, "name", { value: "StartError" });

function composeMessage(details: StartErrorDetails): string {
  const { argv, happened, exitCode, hint, stderrTail, foreignConnections } = details;
  const parts = [`starting ${JSON.stringify(argv[0] ?? "")}: ${happened}`];
  if (exitCode !== undefined) parts[0] += ` (${describeExit(exitCode)})`;
  if (foreignConnections !== undefined && foreignConnections.length > 0) {
    const peers = foreignConnections.map(
      ({ channel, peer }) => `${peer.address}:${peer.port} (${channel})`,
    );
    parts.push(`refused as foreign: ${peers.join(", ")}`);
  }
  if (hint !== undefined) parts.push(hint);
  const stderr = stderrTail?.trimEnd() ?? "";
  if (stderr !== "") parts.push(`stderr: ${stderr.slice(-MESSAGE_STDERR)}`);
  return parts.join("; ");
}
