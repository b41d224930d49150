import { listProcFolder, readProcFile, TimeSlice } from "./proc-reader.ts";
import { type ProcessEntry, readProcessStat } from "./process-stat.ts";

/**
 * The children of one process by the kernel's `children` files, one for each thread (a child
 * belongs to the thread that forked it). Undefined when the kernel has no such file
 * (CONFIG_PROC_CHILDREN), [] when the process is gone.
 */
export function readChildren(procRoot: string, pid: number): number[] | undefined {
  const children: number[] = [];
  for (const thread of listProcFolder(`${procRoot}/${pid}/task`) ?? []) {
    const text = readProcFile(`${procRoot}/${pid}/task/${thread}/children`);
    if (text === undefined) {
      if (listProcFolder(`${procRoot}/${pid}/task/${thread}`) === undefined) continue; // ended
      return undefined;
    }
    if (text === "") continue;
    for (const word of text.split(" ")) if (word !== "") children.push(Number(word));
  }
  return children;
}

/** Every process that /proc shows. A process that ends meanwhile is left out. @throws EMFILE, ENFILE */
export async function scanProcesses(
  procRoot: string,
  slice: TimeSlice = new TimeSlice(),
): Promise<ProcessEntry[]> {
  const entries: ProcessEntry[] = [];
  for (const name of listProcFolder(procRoot) ?? []) {
    const first = name.charCodeAt(0);
    if (first < 48 || first > 57) continue;
    const entry = readProcessStat(procRoot, Number(name));
    if (entry !== undefined) entries.push(entry);
    if (slice.isSpent) await slice.giveWay();
  }
  return entries;
}

/** Children by parent, for a list of processes. */
export function groupByParent(entries: readonly ProcessEntry[]): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const { pid, parentPid } of entries) {
    const siblings = children.get(parentPid);
    if (siblings === undefined) children.set(parentPid, [pid]);
    else siblings.push(pid);
  }
  return children;
}

/**
 * Visits `rootPid` and everything below it once, until `visit` gives false. Youngest children come
 * first, each with all that is below it: a launcher starts its worker last. Ends also when the
 * parents form a loop.
 *
 * @returns false when the walk could not go on because `childrenOf` gave undefined
 */
export async function walkTree(
  rootPid: number,
  childrenOf: (pid: number) => readonly number[] | undefined,
  visit: (pid: number) => boolean,
  slice: TimeSlice = new TimeSlice(),
): Promise<boolean> {
  const stack = [rootPid];
  const listed = new Set(stack);
  for (let pid = stack.pop(); pid !== undefined; pid = stack.pop()) {
    if (!visit(pid)) return true;
    const children = childrenOf(pid);
    if (children === undefined) return false;
    for (const child of children) {
      if (listed.has(child)) continue;
      listed.add(child);
      stack.push(child);
    }
    if (slice.isSpent) await slice.giveWay();
  }
  return true;
}

/**
 * Everything below `rootPid`, nearest first. `rootPid` itself is in it only where the parents form
 * a loop through it.
 */
export function descendantsOf(
  rootPid: number,
  childrenByParent: ReadonlyMap<number, readonly number[]>,
): number[] {
  const found = new Set<number>();
  const queue = [rootPid];
  for (let at = 0; at < queue.length; at += 1) {
    for (const child of childrenByParent.get(queue[at] as number) ?? []) {
      if (found.has(child)) continue;
      found.add(child);
      queue.push(child);
    }
  }
  return [...found];
}
