import { accessSync, type BigIntStats, constants } from "node:fs";
import type { FilePath } from "../find/walk-files.ts";
import type { Finding } from "./bundle-problems.ts";
import type { AirflowLine } from "./doctor-report.ts";
import type { Mount } from "./mount-table.ts";
import { shellQuote } from "./shell-quote.ts";

/** Whether Airflow takes a bundle as far as its permissions go, and what is wrong with them. */
export interface Access {
  readonly isTaken: boolean;
  readonly findings: readonly Finding[];
}

/**
 * Judges as the finders do: 3.3 takes what this process may execute; 3.4 takes all, but must be
 * able to set the execute bits where it may not.
 */
export function checkAccess(
  path: FilePath,
  stats: BigIntStats,
  airflow: AirflowLine,
  mount: Mount | undefined,
): Access {
  const isNoExec = mount?.isNoExec === true;
  const mode = Number(stats.mode) & 0o777;
  const mayRun = mayExecute(path) && !isNoExec;
  if (mayRun) return { isTaken: true, findings: [] };
  const noexec = isNoExec ? [noExecMount(mount, airflow)] : [];
  if (airflow === "3.3") {
    const bits = hasBit(path, mode, isNoExec) ? [] : [noExecuteBit(path, mode)];
    return { isTaken: false, findings: [...bits, ...noexec] };
  }
  const canSet = mount?.isReadOnly !== true && isOwner(stats);
  if (!canSet) {
    const why =
      mount?.isReadOnly === true ? "its file system is read-only" : "the file is another user's";
    const finding = {
      ...noExecuteBit(path, mode),
      message: `It has no execute bit for this user, and Airflow 3.4, which would set it, can't: ${why}.`,
    };
    return { isTaken: false, findings: [finding, ...noexec] };
  }
  if (isNoExec) return { isTaken: true, findings: noexec };
  const after = mode | ((mode & 0o444) >> 2);
  const findings = (after & 0o111) !== 0 ? [setByAirflow(path)] : [noExecuteBit(path, mode)];
  return { isTaken: true, findings };
}

function mayExecute(path: FilePath): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** On a noexec mount the system says no to everybody; then the bits alone are told of. */
function hasBit(path: FilePath, mode: number, isNoExec: boolean): boolean {
  return isNoExec ? (mode & 0o111) !== 0 : mayExecute(path);
}

function isOwner(stats: BigIntStats): boolean {
  const uid = process.getuid?.();
  return uid === undefined || uid === 0 || BigInt(uid) === stats.uid;
}

function noExecuteBit(path: FilePath, mode: number): Finding {
  const who =
    (mode & 0o111) === 0 ? "It has no execute bit" : "Its execute bits are not for this user";
  return {
    code: "no-execute-bit",
    severity: "error",
    message: `${who}: Airflow 3.3 passes over it without a word.`,
    mend: "Set the execute bits.",
    command: `chmod a+rx -- ${shellQuote(path)}`,
  };
}

function setByAirflow(path: FilePath): Finding {
  return {
    code: "execute-bit-set-by-airflow",
    severity: "note",
    message:
      "It has no execute bit for this user; Airflow 3.4 sets it when it takes the file, 3.3 would pass over it.",
    mend: "Set the execute bits, so that it does not depend on who looks first.",
    command: `chmod a+rx -- ${shellQuote(path)}`,
  };
}

function noExecMount({ point }: Mount, airflow: AirflowLine): Finding {
  const what =
    airflow === "3.3"
      ? "Airflow 3.3 passes over it without a word"
      : "Airflow 3.4 takes it, and starting it fails with `Permission denied`";
  return {
    code: "noexec-mount",
    severity: "error",
    message: `Nothing on the file system at ${point} can be started, since it is mounted with noexec: ${what}.`,
    mend: "Put the bundles on another file system, or mount this one with exec (as root; /etc/fstab for good).",
    command: `mount -o remount,exec ${shellQuote(point)}`,
  };
}
