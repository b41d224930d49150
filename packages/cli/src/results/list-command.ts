import type { ListOptions, TaskSummary } from "@parlance/results";
import type { CommandIo } from "../io.ts";
import { jsonText } from "../json-text.ts";
import { signalExitCode } from "../signal-exit-code.ts";
import { escapeControls } from "../terminal-text.ts";
import { Output } from "../wire/output.ts";
import type { ReadableStore } from "./store/empty-store.ts";
import type { StoreFlags } from "./store/store-flags.ts";
import { withReadStore } from "./store/with-store.ts";
import { isoDateDone } from "./text/iso-date-done.ts";
import { TextTable } from "./text/text-table.ts";

/** Flags of `parlance results list`. */
export interface ListFlags extends StoreFlags {
  readonly state?: string;
  readonly name?: string;
  /** In seconds. */
  readonly olderThan?: number;
  readonly limit?: number;
  /** One object a line, not one array. */
  readonly ndjson?: boolean;
}

/** `parlance results list`: rows are printed as they are read, whatever their number. */
export async function listCommand(flags: ListFlags, io: CommandIo): Promise<void> {
  const asJson = flags.json === true || flags.ndjson === true;
  const setting = { tables: ["task"], extended: true, endsInOrder: true } as const;
  await withReadStore({ ...flags, json: asJson }, setting, io, async (store) => {
    const rows = select(store, flags, io);
    if (flags.ndjson === true)
      await printJson(rows, { open: "", separator: "\n", close: "\n" }, io);
    else if (asJson) await printJson(rows, { open: "[", separator: ",\n", close: "]\n" }, io);
    else await printTable(rows, io);
    if (io.signal.aborted) io.setExitCode(signalExitCode(io));
  });
}

/** Ends, and does not throw, when it is interrupted: what was read is printed whole. */
async function* select(
  store: ReadableStore,
  { state, name, olderThan, limit = Number.POSITIVE_INFINITY }: ListFlags,
  io: CommandIo,
): AsyncGenerator<TaskSummary> {
  const conditions: ListOptions = {
    ...(state !== undefined && { state }),
    ...(name !== undefined && { name }),
    ...(olderThan !== undefined && { olderThanSeconds: olderThan }),
    ...(limit < 500 && { pageSize: limit }),
  };
  let count = 0;
  try {
    for await (const row of store.list({ ...conditions, signal: io.signal })) {
      yield row;
      count += 1;
      if (count >= limit || io.signal.aborted) return;
    }
  } catch (error) {
    if (!io.signal.aborted) throw error;
  }
}

interface Frame {
  readonly open: string;
  readonly separator: string;
  readonly close: string;
}

async function printJson(
  rows: AsyncIterable<TaskSummary>,
  { open, separator, close }: Frame,
  io: CommandIo,
): Promise<void> {
  const output = new Output(io);
  let count = 0;
  const end = async (): Promise<void> => {
    if (count === 0) output.add(open);
    if (count > 0 || open !== "") output.add(close);
    await output.flush();
  };
  try {
    for await (const row of rows) {
      output.add(count === 0 ? open : separator);
      output.add(jsonText(summaryDocument(row)));
      count += 1;
      await output.offer();
      if (output.isClosed) return;
    }
  } catch (error) {
    // A database that fails in the middle: what was read is whole JSON, the exit code says the rest.
    if (count > 0) await end();
    throw error;
  }
  await end();
}

function summaryDocument(row: TaskSummary): unknown {
  const { taskId, state, dateDone, dateDoneText, name, worker, retries, queue, resultBytes } = row;
  const done = isoDateDone(dateDone, dateDoneText);
  return { taskId, state, dateDone: done, name, worker, retries, queue, resultBytes };
}

async function printTable(rows: AsyncIterable<TaskSummary>, io: CommandIo): Promise<void> {
  const table = new TextTable(["TASK", "STATE", "DONE", "BYTES", "NAME", "WORKER"], io);
  let count = 0;
  try {
    for await (const row of rows) {
      await table.add(cellsOf(row));
      count += 1;
      if (table.isClosed) return;
    }
  } catch (error) {
    if (count > 0) await table.end();
    throw error;
  }
  await table.end();
}

function cellsOf(row: TaskSummary): readonly string[] {
  return [
    escapeControls(row.taskId),
    escapeControls(row.state ?? "-"),
    isoDateDone(row.dateDone, row.dateDoneText)?.slice(0, 19) ?? "-",
    String(row.resultBytes ?? "-"),
    escapeControls(row.name ?? "-"),
    escapeControls(row.worker ?? "-"),
  ];
}
