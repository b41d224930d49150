import type { TaskMeta } from "@parlance/results";
import type { CommandIo } from "../io.ts";
import { warn } from "../warn.ts";
import { metaDocument } from "./meta-document.ts";
import { printDocument, printLines } from "./print-document.ts";
import type { StoreFlags } from "./store/store-flags.ts";
import { withReadStore } from "./store/with-store.ts";
import { formatMeta } from "./text/format-meta.ts";

/**
 * `parlance results get`: the row of a task, or PENDING. What can't be read of it (another serializer
 * wrote it, or a pickle that is more than data) is printed as its bytes; the rest says what it can.
 *
 * @throws CliError `cannot-decode`, `pickle-refused` (65) after the row, where that is the result
 */
export async function getCommand(id: string, flags: StoreFlags, io: CommandIo): Promise<void> {
  await withReadStore(flags, { tables: ["task"], extended: true }, io, async (store) => {
    const meta = await store.get(id, { undecodable: "keep" });
    await printMeta(meta, flags, io);
    for (const { column, error } of meta.undecodable ?? []) {
      if (column === "result") throw error;
      await warn(io, flags.json === true, "undecodable", error.message);
    }
  });
}

/** Prints a task's row as JSON or for a person. */
export async function printMeta(meta: TaskMeta, flags: StoreFlags, io: CommandIo): Promise<void> {
  if (flags.json === true) await printDocument(metaDocument(meta), io);
  else await printLines(formatMeta(meta, io), io);
}
