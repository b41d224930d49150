import type { CleanupProgress } from "@parlance/results";
import { type CommandIo, write, writeJson } from "../io.ts";
import { formatDuration } from "../run/format-duration.ts";
import { signalExitCode } from "../signal-exit-code.ts";
import type { StoreFlags } from "./store/store-flags.ts";
import { withReadStore } from "./store/with-store.ts";

/** Flags of `parlance results cleanup`. */
export interface CleanupFlags extends StoreFlags {
  /** In seconds. */
  readonly expires: number;
  readonly batchSize?: number;
}

/** Between two lines of progress. */
const PROGRESS_MS = 1_000;

const NOTHING: CleanupProgress = { tasks: 0, groups: 0, batches: 0, longestBatchMs: 0 };

/** `parlance results cleanup`: what was removed by the time of a Ctrl-C is told, too. */
export async function cleanupCommand(flags: CleanupFlags, io: CommandIo): Promise<void> {
  const setting = { tables: ["task", "group"], endsInOrder: true } as const;
  await withReadStore(flags, setting, io, async (store) => {
    let progress = NOTHING;
    let shownAt = performance.now();
    const onProgress = (now: CleanupProgress): void => {
      progress = now;
      if (performance.now() - shownAt < PROGRESS_MS) return;
      shownAt = performance.now();
      io.stderr.write(`removed ${countsOf(now)} so far\n`);
    };
    try {
      progress = await store.cleanup({
        expiresSeconds: flags.expires,
        ...(flags.batchSize !== undefined && { batchSize: flags.batchSize }),
        onProgress,
        signal: io.signal,
      });
    } catch (error) {
      if (!io.signal.aborted) throw error;
      io.setExitCode(signalExitCode(io));
    }
    await report(progress, flags, io);
  });
}

async function report(
  progress: CleanupProgress,
  flags: CleanupFlags,
  io: CommandIo,
): Promise<void> {
  const { tasks, groups, batches, longestBatchMs } = progress;
  const interrupted = io.signal.aborted;
  if (flags.json === true) {
    const longest = Math.round(longestBatchMs * 1000) / 1000;
    return writeJson(io.stdout, { tasks, groups, batches, longestBatchMs: longest, interrupted });
  }
  const end = interrupted ? "Interrupted; removed" : "Removed";
  const longest =
    batches > 0
      ? ` (${batches} ${batches === 1 ? "batch" : "batches"}, ${formatDuration(longestBatchMs)} at most)`
      : "";
  await write(io.stdout, `${end} ${countsOf(progress)}${longest}\n`);
}

function countsOf({ tasks, groups }: CleanupProgress): string {
  return `${tasks} ${tasks === 1 ? "task" : "tasks"} and ${groups} ${groups === 1 ? "group" : "groups"}`;
}
