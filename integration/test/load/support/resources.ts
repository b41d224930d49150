import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as assert from "uvu/assert";
import { MARK } from "./load-coordinator.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** What a process holds. */
export interface Resources {
  /** Sockets, pipes and files. */
  readonly descriptors: number;
  /** Living children and descendants with the mark, and zombies of this process. */
  readonly processes: readonly string[];
  /** Timers and handles that keep the event loop alive, by kind. */
  readonly handles: { readonly [kind: string]: number };
  readonly rssMebibytes: number;
  readonly heapMebibytes: number;
}

/** Open descriptors of this process. */
export function countDescriptors(): number {
  return readdirSync("/proc/self/fd").filter((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`) !== "/proc/self/fd";
    } catch {
      return false; // the one that lists
    }
  }).length;
}

/** After a garbage collection. */
export function resources(): Resources {
  collectGarbage();
  const { rss, heapUsed, external } = process.memoryUsage();
  const handles: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
  return {
    descriptors: countDescriptors(),
    processes: ownProcesses(),
    handles,
    rssMebibytes: Math.round(rss / 2 ** 20),
    heapMebibytes: Math.round((heapUsed + external) / 2 ** 20),
  };
}

/**
 * Fails when, a moment later, more is held than before: what was closed goes within some turns of
 * the event loop, what was forgotten stays.
 */
export async function nothingLeft(before: Resources): Promise<void> {
  let now = resources();
  for (let tries = 0; tries < 100 && difference(before, now) !== ""; tries++) {
    await sleep(20);
    now = resources();
  }
  assert.is(difference(before, now), "");
}

function difference(before: Resources, now: Resources): string {
  const more: string[] = [];
  if (now.descriptors > before.descriptors) {
    more.push(`${now.descriptors - before.descriptors} descriptors`);
  }
  more.push(...now.processes);
  for (const [kind, count] of Object.entries(now.handles)) {
    if (count > (before.handles[kind] ?? 0) && !/Immediate|TickObject/.test(kind)) {
      more.push(`${count - (before.handles[kind] ?? 0)} ${kind}`);
    }
  }
  return more.join(", ");
}

/** Processes with our mark, and dead children that were not reaped. */
function ownProcesses(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, state, parent] =
          /\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "latin1")) ?? [];
        if (state === "Z") return Number(parent) === process.pid ? [`zombie ${pid}`] : [];
        return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`T_MARK=${MARK}`)
          ? [`process ${pid}`]
          : [];
      } catch {
        return [];
      }
    });
}
