import { type ConnectionEnds, normalizeAddress } from "./endpoint.ts";
import type { OwnershipChecker, OwnershipCheckOptions, RootProcess } from "./ownership-checker.ts";
import { listProcFolder, readProcLink, TimeSlice } from "./proc-reader.ts";
import { readProcessStat } from "./process-stat.ts";
import { groupByParent, readChildren, scanProcesses, walkTree } from "./process-tree.ts";
import { findPeerInodes } from "./socket-table.ts";

/**
 * Ownership from /proc: connection -> inode (socket table), process tree -> holder of the inode.
 * One table read and one tree walk answer for all connections, and both end as soon as everything
 * is found. No other program is needed.
 */
export class ProcOwnershipChecker implements OwnershipChecker {
  readonly #procRoot: string;

  constructor(options: { readonly procRoot: string }) {
    this.#procRoot = options.procRoot;
  }

  async check(
    root: RootProcess,
    connections: readonly ConnectionEnds[],
    { thorough = true }: OwnershipCheckOptions = {},
  ): Promise<boolean[]> {
    const owned = connections.map(() => false);
    if (!this.#isAlive(root)) return owned;
    const slice = new TimeSlice();
    const normal = connections.map(({ peer, local }) => ({
      peer: { address: normalizeAddress(peer.address), port: peer.port },
      local: { address: normalizeAddress(local.address), port: local.port },
    }));
    const inodes = await findPeerInodes(this.#tables(), normal, slice);
    const wanted = new Map<string, number>(); // "socket:[inode]" -> connection
    for (const [index, inode] of inodes.entries()) {
      if (inode !== undefined) wanted.set(`socket:[${inode}]`, index);
    }
    if (wanted.size === 0) return owned;
    await this.#walk(root.pid, wanted, owned, thorough, slice);
    // Only now is it sure that all of the walk was below our process and not a later namesake.
    return this.#isAlive(root) ? owned : connections.map(() => false);
  }

  async #walk(
    rootPid: number,
    wanted: Map<string, number>,
    owned: boolean[],
    thorough: boolean,
    slice: TimeSlice,
  ): Promise<void> {
    const checked = new Set<number>();
    const visit = (pid: number): boolean => {
      if (!checked.has(pid)) this.#takeHeld(pid, wanted, owned);
      checked.add(pid);
      return wanted.size > 0;
    };
    const complete = await walkTree(
      rootPid,
      (pid) => readChildren(this.#procRoot, pid),
      visit,
      slice,
    );
    if (wanted.size === 0 || (complete && !thorough)) return;
    const children = groupByParent(await scanProcesses(this.#procRoot, slice));
    await walkTree(rootPid, (pid) => children.get(pid) ?? [], visit, slice);
  }

  /** Marks the connections whose socket this process holds, and stops looking for them. */
  #takeHeld(pid: number, wanted: Map<string, number>, owned: boolean[]): void {
    const folder = `${this.#procRoot}/${pid}/fd`;
    const names = listProcFolder(folder) ?? []; // another user's, or gone: holds nothing we can see
    for (let at = names.length - 1; at >= 0; at -= 1) {
      const link = readProcLink(`${folder}/${names[at]}`);
      const index = link === undefined ? undefined : wanted.get(link);
      if (index === undefined) continue;
      owned[index] = true;
      wanted.delete(link as string);
      if (wanted.size === 0) return;
    }
  }

  #isAlive(root: RootProcess): boolean {
    const entry = readProcessStat(this.#procRoot, root.pid);
    if (entry === undefined || entry.isZombie) return false;
    return root.startTime === undefined || root.startTime === entry.startTime;
  }

  /**
   * Always our own tables: a socket that reached our loopback address was made in our network
   * namespace, wherever its holder lives by now.
   */
  #tables(): string[] {
    return [`${this.#procRoot}/net/tcp`, `${this.#procRoot}/net/tcp6`];
  }
}
