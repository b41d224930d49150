import { ExitCode } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import { printMeta } from "./get-command.ts";
import type { StoreFlags } from "./store/store-flags.ts";
import { withWriteStore } from "./store/with-store.ts";

/** Flags of `parlance results wait`; seconds. */
export interface WaitFlags extends StoreFlags {
  readonly timeout?: number;
  readonly interval: number;
}

/**
 * Waits for a task's end and prints its row. Makes the tables where they are missing: who stores the
 * outcome may be later.
 *
 * @throws CliError `timeout` (1)
 */
export async function waitCommand(id: string, flags: WaitFlags, io: CommandIo): Promise<void> {
  await withWriteStore(flags, { createTables: true, extended: true }, io, async (store) => {
    const meta = await store.wait(id, {
      propagate: false,
      intervalMs: flags.interval * 1000,
      ...(flags.timeout !== undefined && { timeoutMs: flags.timeout * 1000 }),
      signal: io.signal,
    });
    await printMeta(meta, flags, io);
    if (meta.state !== "SUCCESS") io.setExitCode(ExitCode.failed);
  });
}
