import { existsSync } from "node:fs";
import type { ProcessEntry } from "./process-stat.ts";
import { scanProcesses } from "./process-tree.ts";

/** The processes of this machine, whatever the system offers to list them. */
export interface ProcessTable {
  /** Every process, zombies included; one that ends meanwhile may be missing. Rejects when it can't look. */
  list(): Promise<ProcessEntry[]>;
}

/** From /proc (Linux): no other program is needed. */
export class ProcProcessTable implements ProcessTable {
  readonly #procRoot: string;

  constructor(procRoot = "/proc") {
    this.#procRoot = procRoot;
  }

  list(): Promise<ProcessEntry[]> {
    return scanProcesses(this.#procRoot);
  }
}

/** From the `ps` command (or its replacement on Windows) by the package ps-list. */
export class PsListProcessTable implements ProcessTable {
  async list(): Promise<ProcessEntry[]> {
    const { default: psList } = await import("ps-list"); // loaded only where there is no /proc
    const processes = await psList();
    return processes.map(({ pid, ppid, startTime }) => ({
      pid,
      parentPid: ppid,
      startTime: startTime?.getTime(), // milliseconds, in whole seconds
      isZombie: false,
    }));
  }
}

/** The table that works here. */
export function createProcessTable(): ProcessTable {
  const hasProc = process.platform === "linux" && existsSync(`/proc/${process.pid}/stat`);
  return hasProc ? new ProcProcessTable() : new PsListProcessTable();
}
