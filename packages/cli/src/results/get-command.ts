import type { TaskMeta } from "@parlance/results";
import type { CommandIo } from "../io.ts";
import { formatMeta } from "./format-meta.ts";
import { metaDocument } from "./meta-document.ts";
import { printDocument, printLines } from "./print-value.ts";
import type { StoreFlags } from "./store-flags.ts";
import { withReadStore } from "./with-store.ts";

/** `parlance results get`: the row of a task, or PENDING. */
export async function getCommand(id: string, flags: StoreFlags, io: CommandIo): Promise<void> {
  await withReadStore(flags, { extended: true }, io, async (store) => {
    await printMeta(await store.get(id), flags, io);
  });
}

/** Prints a task's row as JSON or for a person. */
export async function printMeta(meta: TaskMeta, flags: StoreFlags, io: CommandIo): Promise<void> {
  if (flags.json === true) await printDocument(metaDocument(meta), io);
  else await printLines(formatMeta(meta, io), io);
}
