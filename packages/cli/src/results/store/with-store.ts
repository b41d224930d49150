import {
  openResultStore,
  parseResultsUrl,
  type ResultStore,
  type ResultStoreOptions,
  type ResultsUrl,
} from "@parlance/results";
import type { CommandIo } from "../../io.ts";
import { signalExitCode } from "../../signal-exit-code.ts";
import { warn } from "../../warn.ts";
import { EMPTY_STORE, type ReadableStore } from "./empty-store.ts";
import { readResultsUrl } from "./read-results-url.ts";
import { isAbsentFile, isInMemory } from "./sqlite-file.ts";
import type { StoreFlags } from "./store-flags.ts";
import { toCliError } from "./to-cli-error.ts";
import { unlessAborted } from "./unless-aborted.ts";

/** What a command that only reads or removes adds to what the flags say. */
export interface ReadSetting {
  /** The tables that it looks into: where none of them is there, the store is an empty one. */
  readonly tables: readonly ("task" | "group")[];
  /** Whether the extended columns are read. Default: not. */
  readonly extended?: boolean;
  /** Whether `work` ends in order by itself after a Ctrl-C. Default: it is left behind. */
  readonly endsInOrder?: boolean;
}

/** What a command that writes adds to what the flags say. */
export interface WriteSetting {
  /** Whether missing tables are made; else they are an error. */
  readonly createTables: boolean;
  /** Whether the extended columns are written. Default: not. */
  readonly extended?: boolean;
}

/**
 * Opens the store that the flags name, lets `work` read from it and closes it. Nothing is made: where
 * there are no tables, the store is an empty one, which is told on stderr.
 *
 * @throws CliError by the code of what went wrong
 */
export async function withReadStore(
  flags: StoreFlags,
  { tables, extended = false, endsInOrder = false }: ReadSetting,
  io: CommandIo,
  work: (store: ReadableStore) => Promise<void>,
): Promise<void> {
  const lastSignal = endsInOrder ? io.killSignal : io.signal;
  await guarded(flags, io, async (url) => {
    if (isAbsentFile(url)) {
      await tellOfNoTables(parseResultsUrl(url), flags, io);
      return work(EMPTY_STORE);
    }
    const options = { ...storeOptions(flags, io), createTables: "never", extended } as const;
    await opened(url, options, io.signal, lastSignal, async (store) => {
      const { facts } = store.database;
      if (tables.some((table) => facts[table].exists)) return work(store);
      await tellOfNoTables(store.database.url, flags, io);
      await work(EMPTY_STORE);
    });
  });
}

/**
 * Opens the store that the flags name, lets `work` write to it and closes it.
 *
 * @throws CliError by the code of what went wrong
 */
export async function withWriteStore(
  flags: StoreFlags,
  { createTables, extended = false }: WriteSetting,
  io: CommandIo,
  work: (store: ResultStore) => Promise<void>,
): Promise<void> {
  await guarded(flags, io, async (url) => {
    if (isInMemory(url)) {
      const message = "this database is in memory: what is stored is gone when the command ends";
      await warn(io, flags.json === true, "in-memory", message);
    }
    const options = {
      ...storeOptions(flags, io),
      createTables: createTables ? "at-setup" : "never",
      extended,
    } as const;
    await opened(url, options, io.signal, io.signal, work);
  });
}

/**
 * Runs what uses a store's URL, with the errors of the command line. A Ctrl-C ends it with the
 * signal's exit code.
 */
export async function guarded(
  flags: StoreFlags,
  io: CommandIo,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const url = await readResultsUrl(flags, io);
  try {
    io.signal.throwIfAborted();
    await work(url);
  } catch (error) {
    if (!io.signal.aborted || !isAborted(error)) throw toCliError(error);
    io.setExitCode(signalExitCode(io));
  }
}

async function opened(
  url: string,
  options: ResultStoreOptions,
  openSignal: AbortSignal,
  workSignal: AbortSignal | undefined,
  work: (store: ResultStore) => Promise<void>,
): Promise<void> {
  const store = await openResultStore(url, { ...options, signal: openSignal });
  try {
    await unlessAborted(work(store), workSignal);
  } finally {
    await unlessAborted(store.close(), workSignal);
  }
}

/** The options of a store that the flags of every command stand for. */
function storeOptions(flags: StoreFlags, io: CommandIo): ResultStoreOptions {
  const { serializer, timezone } = flags;
  return {
    serializer,
    wrapFloats: true,
    keepKeyOrder: true,
    ...(timezone !== undefined && { timezone }),
    ...tableOptions(flags),
    onWarning: (message) => void warn(io, flags.json === true, "store", message),
  };
}

/** Where the tables are. */
export function tableOptions({
  taskTable,
  groupTable,
  taskSchema,
  groupSchema,
}: StoreFlags): Pick<ResultStoreOptions, "tableNames" | "tableSchemas"> {
  return {
    tableNames: {
      ...(taskTable !== undefined && { task: taskTable }),
      ...(groupTable !== undefined && { group: groupTable }),
    },
    tableSchemas: {
      ...(taskSchema !== undefined && { task: taskSchema }),
      ...(groupSchema !== undefined && { group: groupSchema }),
    },
  };
}

/** @param where - prints itself without its password */
function tellOfNoTables(where: ResultsUrl, flags: StoreFlags, io: CommandIo): Promise<void> {
  const message = `there are no tables of results in ${where}; is it the right one?`;
  return warn(io, flags.json === true, "no-tables", message);
}

function isAborted(error: unknown): boolean {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  return code === "aborted" || name === "AbortError" || typeof error === "string";
}
