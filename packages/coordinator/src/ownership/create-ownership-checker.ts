import { existsSync } from "node:fs";
import type { ConnectionEnds } from "./endpoint.ts";
import { LsofOwnershipChecker } from "./lsof-ownership-checker.ts";
import type { OwnershipChecker, RootProcess } from "./ownership-checker.ts";
import { ProcOwnershipChecker } from "./proc-ownership-checker.ts";

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
      // Not opened: a process that is short of descriptors shall hear of that, and not of lsof.
      (process.platform === "linux" && existsSync(`${procRoot}/${process.pid}/stat`));
    if (readable) return new ProcOwnershipChecker({ procRoot });
    if (options.method === "proc") return undefined;
  }
  return await LsofOwnershipChecker.find();
}

/**
 * Whether `connection` comes from the process `root` or a descendant of it, looked up once in
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
