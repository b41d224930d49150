import { openResultStore, type ResultStore, type ResultStoreOptions } from "@parlance/results";
import type { CommandIo } from "../io.ts";
import { signalExitCode } from "../signal-exit-code.ts";
import { readResultsUrl } from "./read-url.ts";
import { toCliError } from "./store-errors.ts";
import type { StoreFlags } from "./store-flags.ts";
import { unlessAborted } from "./unless-aborted.ts";
import { warn } from "./warn.ts";

/** What a command adds to what the flags say. */
export interface StoreSetting {
  /** Whether missing tables are made. Default: never. */
  readonly createTables?: boolean;
  /** Whether the extended columns are read or written. Default: not. */
  readonly extended?: boolean;
  /** Whether `work` ends in order by itself after a Ctrl-C. Default: it is left behind. */
  readonly endsInOrder?: boolean;
}

/**
 * Opens the store that the flags name, lets `work` use it and closes it.
 *
 * @throws CliError by the code of what went wrong
 */
export async function withStore<Result>(
  flags: StoreFlags,
  setting: StoreSetting,
  io: CommandIo,
  work: (store: ResultStore) => Promise<Result>,
): Promise<Result | undefined> {
  const url = await readResultsUrl(flags, io);
  if (io.signal.aborted) return interrupted(io);
  const { createTables = false, extended = false, endsInOrder = false } = setting;
  const lastSignal = endsInOrder ? io.killSignal : io.signal;
  try {
    const opening = openResultStore(url, {
      ...storeOptions(flags, io),
      createTables: createTables ? "at-setup" : "never",
      extended,
    });
    const store = await unlessAborted(opening, io.signal);
    try {
      return await unlessAborted(work(store), lastSignal);
    } finally {
      await unlessAborted(store.close(), lastSignal);
    }
  } catch (error) {
    if (io.signal.aborted && isAborted(error)) return interrupted(io);
    throw toCliError(error);
  }
}

/** The options of a store that the flags of every command stand for. */
export function storeOptions(flags: StoreFlags, io: CommandIo): ResultStoreOptions {
  const { serializer, timezone, taskTable, groupTable, taskSchema, groupSchema } = flags;
  return {
    serializer,
    wrapFloats: true,
    keepKeyOrder: true,
    ...(timezone !== undefined && { timezone }),
    tableNames: {
      ...(taskTable !== undefined && { task: taskTable }),
      ...(groupTable !== undefined && { group: groupTable }),
    },
    tableSchemas: {
      ...(taskSchema !== undefined && { task: taskSchema }),
      ...(groupSchema !== undefined && { group: groupSchema }),
    },
    onWarning: (message) => void warn(io, flags.json === true, "store", message),
  };
}

function interrupted(io: CommandIo): undefined {
  io.setExitCode(signalExitCode(io));
  return undefined;
}

function isAborted(error: unknown): boolean {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  return code === "aborted" || name === "AbortError" || typeof error === "string";
}
