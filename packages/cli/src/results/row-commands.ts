import { ExitCode } from "../errors.ts";
import { type CommandIo, write, writeJson } from "../io.ts";
import { escapeControls } from "../terminal-text.ts";
import type { StoreFlags } from "./store/store-flags.ts";
import { withReadStore } from "./store/with-store.ts";

/** `parlance results exists`: exit code 1 when there is no row. */
export async function existsCommand(id: string, flags: StoreFlags, io: CommandIo): Promise<void> {
  await withReadStore(flags, { tables: ["task"] }, io, async (store) => {
    const exists = await store.exists(id);
    if (flags.json === true) await writeJson(io.stdout, { exists });
    else await write(io.stdout, exists ? "yes\n" : "no\n");
    if (!exists) io.setExitCode(ExitCode.failed);
  });
}

/** `parlance results forget` */
export async function forgetCommand(id: string, flags: StoreFlags, io: CommandIo): Promise<void> {
  await withReadStore(flags, { tables: ["task"] }, io, async (store) => {
    const forgotten = await store.forget(id);
    if (flags.json === true) return writeJson(io.stdout, { taskId: id, forgotten });
    const what = forgotten ? "Forgot" : "There was no row for";
    await write(io.stdout, `${what} ${escapeControls(id)}\n`);
  });
}
