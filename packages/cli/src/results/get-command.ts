import type { TaskMeta } from "@parlance/results";
import { CliError } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import { warn } from "../warn.ts";
import { formatMeta } from "./format-meta.ts";
import { metaDocument } from "./meta-document.ts";
import { printDocument, printLines } from "./print-document.ts";
import type { StoreFlags } from "./store-flags.ts";
import { withReadStore } from "./with-store.ts";

/**
 * `parlance results get`: the row of a task, or PENDING. Where only the extended columns can't be
 * read (another serializer wrote them), the rest is printed, as a Celery without them would read it.
 */
export async function getCommand(id: string, flags: StoreFlags, io: CommandIo): Promise<void> {
  try {
    await get(id, true, flags, io);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== "cannot-decode") throw error;
    await get(id, false, flags, io, error.message);
  }
}

async function get(
  id: string,
  extended: boolean,
  flags: StoreFlags,
  io: CommandIo,
  fault?: string,
): Promise<void> {
  await withReadStore(flags, { extended }, io, async (store) => {
    const meta = await store.get(id);
    if (fault !== undefined) {
      const message = `name, args, kwargs and the like can't be read: ${fault}`;
      await warn(io, flags.json === true, "extended-unreadable", message);
    }
    await printMeta(meta, flags, io);
  });
}

/** Prints a task's row as JSON or for a person. */
export async function printMeta(meta: TaskMeta, flags: StoreFlags, io: CommandIo): Promise<void> {
  if (flags.json === true) await printDocument(metaDocument(meta), io);
  else await printLines(formatMeta(meta, io), io);
}
