import type { AssetRef, Assets } from "./api/assets.ts";
import type { Connection } from "./api/connection.ts";
import type { DagRuns } from "./api/dag-runs.ts";
import type { JsonMap, JsonStorable } from "./api/json.ts";
import type { AssetStateStore, TaskStateStore } from "./api/state-stores.ts";
import type { TaskInstances } from "./api/task-instances.ts";
import type {
  DeleteXComOptions,
  GetXComOptions,
  SetXComOptions,
  XComSequence,
  XComSequenceOptions,
  XComSeriesOptions,
  XComSliceOptions,
} from "./api/xcoms.ts";
import type { JsonValue, XComStorable, XComValue } from "./xcom-value.ts";

/** Which Variables to name. */
export interface ListVariableKeysOptions {
  readonly prefix?: string | null | undefined;
  /** @default 1000 */
  readonly limit?: number | undefined;
  /** @default 0 */
  readonly offset?: number | undefined;
}

/**
 * What a task may ask Airflow for. Calls may run at the same time.
 *
 * Every call rejects with InvalidRequestError (nothing was sent), SupervisorError (Airflow
 * answered with an error), RequestTimeoutError (no answer in 10 minutes, `requestTimeoutMs` of
 * `serve`) or ChannelClosedError (the supervisor has gone). What only schema 2026-10-30 has is
 * refused with InvalidRequestError `newer-schema-needed` in a program packed for 2026-06-16.
 *
 * Variables and Connections are looked up as Python tasks do: first `AIRFLOW_VAR_KEY` and
 * `AIRFLOW_CONN_ID` in the worker's environment (`environmentLookups` of `serve` turns that off),
 * then in Airflow.
 */
export interface TaskClient {
  /** The Variable's text, or null when there is none. */
  getVariable(key: string): Promise<string | null>;
  /** @throws NotFoundError `variable-not-found` */
  getVariableOrThrow(key: string): Promise<string>;
  setVariable(
    key: string,
    value: string,
    options?: { readonly description?: string | null | undefined },
  ): Promise<void>;
  /** False when there was none. */
  deleteVariable(key: string): Promise<boolean>;
  /** Names of Variables in Airflow and how many there are in all. */
  listVariableKeys(
    options?: ListVariableKeysOptions,
  ): Promise<{ readonly keys: readonly string[]; readonly total: number }>;

  /** The Connection, or null when there is none. */
  getConnection(id: string): Promise<Connection | null>;
  /** @throws NotFoundError `connection-not-found` */
  getConnectionOrThrow(id: string): Promise<Connection>;

  /**
   * An XCom of another task, or null when there is none: Airflow answers null for both, see
   * {@link hasXCom}. Integers beyond 2^53-1 come as bigint, and what Python wrapped as a value of
   * its class here (a `datetime` as DateTime, which is a Date): see {@link decodeValue}. With `raw` it
   * comes as it is stored.
   *
   * @throws UnreadableValueError for a wrapper that Python could not read either
   */
  getXCom<Value = XComValue>(options: GetXComOptions): Promise<Value | null>;
  /** The same for a value that must be there. @throws NotFoundError `xcom-not-found`, also for null */
  getXComOrThrow<Value = XComValue>(options: GetXComOptions): Promise<Value>;
  /** Whether the task, or any of its mapped instances, wrote the XCom, be it null. */
  hasXCom(options: XComSeriesOptions): Promise<boolean>;
  /** How many XComs a task's instances wrote under a key; 0 tells that there is none. */
  countXComs(options: XComSeriesOptions): Promise<number>;
  /** One of a series by its place. @throws NotFoundError `xcom-not-found` */
  getXComItem<Value = XComValue>(
    options: XComSeriesOptions & { readonly index: number },
  ): Promise<Value>;
  /** Some or all of a series, in order of the map index. */
  getXComSlice<Value = XComValue>(options: XComSliceOptions): Promise<readonly Value[]>;
  /** A series that is read as it is needed. */
  getXComSequence<Value = XComValue>(options: XComSequenceOptions): XComSequence<Value>;
  /**
   * Stores a value as Python would: a Date as a `datetime`, a Set as a `set`, see {@link encodeValue}.
   *
   * @throws InvalidRequestError `invalid-value` for what has no form, with its path
   */
  setXCom<Value>(
    value: XComValue | (Value & XComStorable<Value>),
    options: SetXComOptions,
  ): Promise<void>;
  deleteXCom(options: DeleteXComOptions): Promise<void>;

  /** What this task instance keeps from one try to the next. */
  readonly taskState: TaskStateStore;
  /** What is kept with an asset. */
  assetState(asset: AssetRef): AssetStateStore;
  /** Assets and their events. */
  readonly assets: Assets;
  /** Dags and their runs: start one, its state, the one before. */
  readonly dagRuns: DagRuns;
  /** States and counts of task instances. */
  readonly taskInstances: TaskInstances;

  /**
   * Has a secret masked in the task's log. Wait for it before you log: the two travel on
   * different connections.
   */
  maskSecret<Value>(
    value: JsonValue | (Value & JsonStorable<Value>),
    options?: { readonly name?: string | null | undefined },
  ): Promise<void>;
  /** What the page of a mapped task shows for this instance in place of its index. */
  setRenderedMapIndex(text: string): Promise<void>;
  /** What the page of a task shows as its rendered templates. */
  setRenderedFields(fields: JsonMap): Promise<void>;
}
