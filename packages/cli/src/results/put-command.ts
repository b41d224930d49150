import { type CommandIo, write, writeJson } from "../io.ts";
import { escapeControls } from "../terminal-text.ts";
import { warn } from "../warn.ts";
import type { PutFlags } from "./put-flags.ts";
import { readPutInput } from "./put-input.ts";
import { withWriteStore } from "./store/with-store.ts";

/** The states that Celery has a meaning for. */
const KNOWN = [
  "PENDING",
  "RECEIVED",
  "STARTED",
  "SUCCESS",
  "FAILURE",
  "REVOKED",
  "REJECTED",
  "RETRY",
];

/** `parlance results put` */
export async function putCommand(id: string, flags: PutFlags, io: CommandIo): Promise<void> {
  const asJson = flags.json === true;
  const { input, extended } = await readPutInput(flags, io);
  const meant = flags.state.toUpperCase();
  if (KNOWN.includes(meant) && flags.state !== meant) {
    const message = `${flags.state} is a state of your own to Celery; its own is ${meant}`;
    await warn(io, asJson, "state-in-lower-case", message);
  }
  const { createTables } = flags;
  await withWriteStore(flags, { createTables, extended }, io, async (store) => {
    const { written, state } = await store.store(id, input);
    if (asJson) return writeJson(io.stdout, { taskId: id, state, written });
    const what = written
      ? `Stored ${escapeControls(id)}: ${escapeControls(state)}`
      : `Not stored: ${escapeControls(id)} is ${escapeControls(state)} already, which is final`;
    await write(io.stdout, `${what}\n`);
  });
}
