import type { ConnectionEnds } from "./endpoint.ts";
import { LsofOwnershipChecker } from "./lsof-ownership-checker.ts";
import { ProcOwnershipChecker } from "./proc-ownership-checker.ts";
import { readProcessStat } from "./process-stat.ts";

/** The launched process, told apart from a later one with the same number by its start time. */
export interface RootProcess {
  readonly pid: number;
  /** As `ProcessEntry.startTime`; left out, the number alone must do. */
  readonly startTime?: number | undefined;
}

/** How {@link OwnershipChecker.check} looks. */
export interface OwnershipCheckOptions {
  /**
   * Look also where the quick way finds nothing (on Linux: scan all processes when the kernel's
   * `children` files, which can miss one while siblings end, show no holder). Default true.
   */
  readonly thorough?: boolean;
}

/** Tells whose connections are whose. One check answers for any number of connections. */
export interface OwnershipChecker {
  /**
   * For each connection: does the launched process or a descendant of it hold the connecting end?
   * The parent chain decides, not session or group. False also when the process is gone or nothing
   * can be read; never throws for that.
   */
  check(
    root: RootProcess,
    connections: readonly ConnectionEnds[],
    options?: OwnershipCheckOptions,
  ): Promise<boolean[]>;
}

/** @see createOwnershipChecker */
export interface OwnershipCheckerOptions {
  /** Where the proc file system is; `/proc` by default. */
  readonly procRoot?: string;
  /** `proc` or `lsof` forces one way; by default the first that works here. */
  readonly method?: "proc" | "lsof";
}

/**
 * Gives the checker for this system: from /proc on Linux, else by `lsof` and the process list.
 * Undefined where neither works; the caller then has to decide to go without (`ownership: "off"`).
 */
export async function createOwnershipChecker(
  options: OwnershipCheckerOptions = {},
): Promise<OwnershipChecker | undefined> {
  const procRoot = options.procRoot ?? "/proc";
  if (options.method !== "lsof") {
    const readable =
      options.procRoot !== undefined ||
      (process.platform === "linux" && readProcessStat(procRoot, process.pid) !== undefined);
    if (readable) return new ProcOwnershipChecker({ procRoot });
    if (options.method === "proc") return undefined;
  }
  return await LsofOwnershipChecker.find();
}

/**
 * Whether `connection` comes from the process `rootPid` or a descendant of it, looked up once in
 * /proc (Linux).
 */
export async function isOwnedConnection(
  root: RootProcess,
  connection: ConnectionEnds,
  options: { readonly procRoot?: string } = {},
): Promise<boolean> {
  const checker = new ProcOwnershipChecker({ procRoot: options.procRoot ?? "/proc" });
  const [owned] = await checker.check(root, [connection]);
  return owned === true;
}
