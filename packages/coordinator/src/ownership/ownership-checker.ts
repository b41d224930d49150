import type { ConnectionEnds } from "./endpoint.ts";

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
