import type { AssetStore } from "./asset-store.ts";
import type { DagRunStore } from "./dag-run-store.ts";
import type { HitlStore } from "./hitl-store.ts";
import type { StoreDump } from "./store-dump.ts";
import type { TaskInstanceStore } from "./task-instance-store.ts";

/** A Variable as a store keeps it. `value` null is a Variable that exists without a value. */
export interface StoredVariable {
  readonly key: string;
  readonly value: string | null;
  readonly description: string | null;
}

/** A Connection as a store keeps it: the fields of Airflow's own table, `extra` being JSON text. */
export interface StoredConnection {
  readonly connId: string;
  readonly connType: string;
  readonly host: string | null;
  readonly schema: string | null;
  readonly login: string | null;
  readonly password: string | null;
  readonly port: number | null;
  readonly extra: string | null;
}

/** The XComs that one key of one task has in one run, over all its map indexes. */
export interface XComSeries {
  readonly dagId: string;
  readonly runId: string;
  readonly taskId: string;
  readonly key: string;
}

/** One XCom. A task instance that is not mapped has the map index -1. */
export interface XComRef extends XComSeries {
  readonly mapIndex: number;
}

/** Which XComs to list: all of a run, or those of one task or task instance. */
export interface XComFilter {
  readonly dagId: string;
  readonly runId: string;
  readonly taskId?: string;
  readonly mapIndex?: number;
}

/** An XCom with its value. Values are what `framing` decodes: whole floats are `Float`, big integers bigint. */
export interface StoredXCom extends XComRef {
  readonly value: unknown;
  /** How many mapped task instances the value expands into, as SetXCom said; else null. */
  readonly mappedLength: number | null;
}

/** A slice in Python's sense; null leaves the part open. `step` is never 0. */
export interface XComSlice {
  readonly start: number | null;
  readonly stop: number | null;
  readonly step: number | null;
}

/** One task instance of a run, whatever its try number. */
export interface TaskInstanceRef {
  readonly dagId: string;
  readonly runId: string;
  readonly taskId: string;
  readonly mapIndex: number;
}

/** Variables, by key. */
export interface VariableStore {
  get(key: string): Promise<StoredVariable | undefined>;
  /** Writes over an older value. */
  set(variable: StoredVariable): Promise<void>;
  /** False where there was none. */
  delete(key: string): Promise<boolean>;
  /** Every key, in code point order. */
  keys(): Promise<string[]>;
}

/** Connections, by id. */
export interface ConnectionStore {
  get(connId: string): Promise<StoredConnection | undefined>;
  /** Writes over an older one. */
  set(connection: StoredConnection): Promise<void>;
  /** False where there was none. */
  delete(connId: string): Promise<boolean>;
  /** Every id, in code point order. */
  ids(): Promise<string[]>;
}

/**
 * XComs. `count`, `item` and `slice` look at every map index of a series, -1 included, in the order
 * of the indexes, as Airflow's API server does.
 */
export interface XComStore {
  /** Undefined where there is none: a stored null is a value. */
  get(ref: XComRef): Promise<StoredXCom | undefined>;
  /**
   * That of the run of `ref`, else that of the run before it: runs go by their logical date, or by
   * the date they were due where they have none. Runs that {@link TaskStore.dagRuns} does not know
   * come last, the youngest value first.
   */
  latest(ref: XComRef): Promise<StoredXCom | undefined>;
  /** Writes over an older value. */
  set(
    ref: XComRef,
    value: unknown,
    facts?: { readonly mappedLength?: number | null },
  ): Promise<void>;
  /**
   * As `set`, for a value of 8 MiB or more, which comes as what {@link exactJsonText} gives, in UTF-8:
   * such a message is read in a thread of its own, and the value never made in this one. A store
   * without this method is given the value. What it keeps this way it may give as a StoredXCom whose
   * `value` is a getter.
   *
   * @param json - to be kept, not to be written to
   */
  setExactJson?(
    ref: XComRef,
    json: Uint8Array,
    facts?: { readonly mappedLength?: number | null },
  ): Promise<void>;
  /** False where there was none. */
  delete(ref: XComRef): Promise<boolean>;
  count(series: XComSeries): Promise<number>;
  /** A negative offset counts from the end. */
  item(series: XComSeries, offset: number): Promise<StoredXCom | undefined>;
  /**
   * With `priorRuns` also what earlier runs have, as {@link XComStore.latest} goes by them; of rows
   * with the same map index the oldest run's is the first.
   */
  slice(
    series: XComSeries,
    slice: XComSlice,
    options?: { readonly priorRuns?: boolean },
  ): Promise<StoredXCom[]>;
  /** In the order of writing, the oldest first. */
  list(filter: XComFilter): Promise<StoredXCom[]>;
}

/**
 * Small values that outlive a try. The scope says whose they are; the session makes it of the task
 * instance or of the asset.
 */
export interface StateStore {
  /** Undefined where there is none, or where it has expired. */
  get(scope: string, key: string): Promise<{ readonly value: unknown } | undefined>;
  /** `expiresAt` in milliseconds since 1970, null for never. */
  set(scope: string, key: string, value: unknown, expiresAt: number | null): Promise<void>;
  delete(scope: string, key: string): Promise<boolean>;
  /** Forgets every key of a scope. */
  clear(scope: string): Promise<void>;
}

/**
 * Where a task's Variables, Connections and XComs come from, and what is known of runs, tries,
 * assets and questions to people. Secrets to mask are not kept here: they live as long as the
 * attempt. What a method has answered is kept, whatever becomes of the process after it (as far as
 * the store keeps anything beyond the process).
 *
 * Every method may be called by many attempts at once. Keys and ids are text without U+0000; a
 * method that is given such a key rejects with {@link StoreError} `bad-key`.
 */
export interface TaskStore {
  readonly variables: VariableStore;
  readonly connections: ConnectionStore;
  readonly xcoms: XComStore;
  readonly states: StateStore;
  readonly taskInstances: TaskInstanceStore;
  readonly dagRuns: DagRunStore;
  readonly assets: AssetStore;
  readonly hitl: HitlStore;
  /** Everything in it, as JSON can hold it, with what is secret replaced by `***`: to look at. */
  dump(): Promise<StoreDump>;
  /** Gives back what the store holds open. Calling it twice is fine. */
  close(): Promise<void>;
}

/** What went wrong with a store, by code. */
export type StoreErrorCode =
  | "bad-key"
  | "bad-value"
  | "bad-seed"
  | "not-a-store"
  | "newer-store"
  | "store-unavailable"
  | "store-busy"
  | "store-failed";

/**
 * A store could not do what it was asked.
 *
 * Codes: `bad-key` (a key with U+0000), `bad-value` (a value JSON has no place for), `bad-seed`
 * (`path` says where), `not-a-store` (the file is something else), `newer-store` (written by a later
 * Parlance), `store-unavailable` (can't be opened), `store-busy` (another process held the file for
 * too long), `store-failed` (anything else the database says).
 */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** JSON pointer into the seed for `bad-seed`, else the file, where there is one. */
  readonly path: string | undefined;

  constructor(
    code: StoreErrorCode,
    message: string,
    options?: { readonly path?: string; readonly cause?: unknown },
  ) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.path = options?.path;
  }
}

Object.defineProperty(StoreError.prototype, "name", { value: "StoreError" });
