import { readProcFile } from "../ownership/proc-reader.ts";
import { type ProcessEntry, readProcessStat } from "../ownership/process-stat.ts";
import type { ProcessTable } from "../ownership/process-table.ts";
import { descendantsOf, groupByParent } from "../ownership/process-tree.ts";

/** The variable that marks every process of a task; see {@link ProcessFamily}. */
export const FAMILY_VARIABLE = "PARLANCE_TASK_PROCESS";

/** How long killed processes may take to vanish, in milliseconds, before we go on without them. */
const KILL_WAIT_MS = 2_000;

/** How often to look again at a process that may just be in an exec (31 ms together). */
const UNSURE_LOOKS = 5;

/** Linux: the parent of all kernel threads. */
const KERNEL_THREADS = 2;

/** @see ProcessFamily */
export interface ProcessFamilyOptions {
  /** The launched process. */
  readonly leader: { readonly pid: number; readonly startTime: number | undefined };
  /** It leads a process group and a session of its own (`detached`). */
  readonly hasOwnGroup: boolean;
  /** The value of {@link FAMILY_VARIABLE} in its environment. */
  readonly mark: string;
  readonly processes: ProcessTable;
  /** Whether the leader has been reaped, so that its number may belong to somebody else by now. */
  readonly isReaped: () => boolean;
}

/**
 * Everything that a launched process has started, and the ways to end it.
 *
 * A process belongs when one of these holds: it descends from the leader or from another member; it
 * is in the leader's group or session (children that lost their parent); it was a member when we
 * looked before; or, on Linux, it carries our mark in its environment (daemons that left tree, group
 * and session). Members are remembered by number and start time, never by number alone, and a
 * number is only signalled while that still fits: numbers are used again.
 */
export class ProcessFamily {
  readonly #options: ProcessFamilyOptions;
  readonly #known = new Map<number, number | undefined>();
  /** A process was seen in the middle of an exec, so it could not tell whether it has our mark. */
  #isUnsure = false;
  /** The processes could not be listed: no descriptor was left, say. */
  #isBlind = false;

  constructor(options: ProcessFamilyOptions) {
    this.#options = options;
  }

  /**
   * The living members, leader included, zombies not. Looks at every process of the machine; none
   * when it can't look.
   */
  async members(): Promise<ProcessEntry[]> {
    const { leader, mark } = this.#options;
    const listed = await this.#options.processes.list().catch(() => undefined);
    this.#isBlind = listed === undefined;
    const entries = (listed ?? []).filter(({ pid }) => pid !== process.pid && pid > 1);
    this.#isUnsure = false;
    const byNumber = new Map(entries.map((entry) => [entry.pid, entry]));
    const roots = entries.filter((entry) => this.#belongs(entry, byNumber, leader, mark));
    const children = groupByParent(entries);
    const numbers = new Set(roots.map(({ pid }) => pid));
    for (const { pid } of roots) {
      for (const descendant of descendantsOf(pid, children)) numbers.add(descendant);
    }
    const members: ProcessEntry[] = [];
    for (const pid of numbers) {
      const entry = byNumber.get(pid);
      if (entry === undefined || entry.isZombie) continue;
      this.#known.set(pid, entry.startTime);
      members.push(entry);
    }
    return members;
  }

  /** Sends a signal to all members, found beforehand; gives how many there were. */
  async signal(signal: NodeJS.Signals): Promise<number> {
    const members = await this.members();
    this.#send(members, signal);
    return members.length;
  }

  /**
   * SIGKILL to all members, again until there is none (a member may start another one meanwhile).
   * Gives the numbers of those that were still there after 2 s: not ours to signal, or stuck in
   * the kernel.
   */
  async kill(): Promise<number[]> {
    let deadline = Infinity; // from the first signal on: on a busy machine a look alone may take long
    let unsureLooks = 0;
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 50)) {
      const members = await this.members();
      const isFirst = pauseMs === 1; // a group can have members that no list shows (not Linux)
      if (members.length === 0 && !this.#isBlind && !(isFirst && this.#needsGroupSignal)) {
        if (!this.#isUnsure || unsureLooks >= UNSURE_LOOKS) return [];
        unsureLooks += 1;
      }
      if (performance.now() > deadline) {
        return this.#isBlind ? [this.#options.leader.pid] : members.map(({ pid }) => pid);
      }
      this.#send(members, "SIGKILL");
      deadline = Math.min(deadline, performance.now() + KILL_WAIT_MS);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  /** Where the process list tells no groups, orphans of the group are reached by its number only. */
  get #needsGroupSignal(): boolean {
    return process.platform !== "linux" && process.platform !== "win32";
  }

  #belongs(
    entry: ProcessEntry,
    byNumber: ReadonlyMap<number, ProcessEntry>,
    leader: ProcessFamilyOptions["leader"],
    mark: string,
  ): boolean {
    const isLater = (entry.startTime ?? Infinity) >= (leader.startTime ?? 0);
    if (!isLater) return false;
    if (entry.pid === leader.pid) return this.#isLeader(entry);
    if (this.#known.has(entry.pid) && this.#known.get(entry.pid) === entry.startTime) return true;
    // While a group or session has a member, the kernel gives its number to no new process.
    const holder = byNumber.get(leader.pid);
    const numberIsOurs = holder === undefined || this.#isLeader(holder);
    const inGroup = entry.groupId === leader.pid || entry.sessionId === leader.pid;
    if (this.#options.hasOwnGroup && numberIsOurs && inGroup) return true;
    if (entry.groupId === undefined || entry.isZombie || entry.parentPid === KERNEL_THREADS) {
      return false;
    }
    const found = hasMark(entry.pid, mark);
    if (found === undefined) this.#isUnsure = true;
    return found === true;
  }

  #isLeader(entry: ProcessEntry): boolean {
    const { leader, isReaped } = this.#options;
    if (leader.startTime === undefined || entry.startTime === undefined) return !isReaped();
    return entry.startTime === leader.startTime;
  }

  #send(members: readonly ProcessEntry[], signal: NodeJS.Signals): void {
    const { leader, hasOwnGroup, isReaped } = this.#options;
    // A negative number goes to a whole group, at once and with nobody forgotten. Only while the
    // leader is ours to reap is it sure that the number still names our group; and only a leader of
    // its own group has one that we are not in ourselves.
    const byGroup =
      hasOwnGroup && process.platform !== "win32" && (this.#needsGroupSignal || !isReaped());
    if (byGroup) sendSignal(-leader.pid, signal);
    for (const { pid, groupId, startTime } of members) {
      if (byGroup && groupId === leader.pid) continue;
      if (groupId === undefined || isStill(pid, startTime)) sendSignal(pid, signal);
    }
  }
}

/** Listed a moment ago; when that can't be looked up now, it is hardly somebody else already. */
function isStill(pid: number, startTime: number | undefined): boolean {
  try {
    return readProcessStat("/proc", pid)?.startTime === startTime;
  } catch {
    return true;
  }
}

/** Undefined when the environment is empty, as it is for a moment during an exec, or can't be read now. */
function hasMark(pid: number, mark: string): boolean | undefined {
  let environment: string | undefined;
  try {
    environment = readProcFile(`/proc/${pid}/environ`);
  } catch {
    return undefined;
  }
  if (environment === "") return undefined;
  if (environment === undefined) return false; // another user's, or gone
  const at = environment.indexOf(`${FAMILY_VARIABLE}=`);
  if (at < 0) return false;
  const end = environment.indexOf("\0", at);
  return environment.slice(at, end < 0 ? undefined : end).includes(mark);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ended meanwhile, or another user's: the next look shows which
  }
}
