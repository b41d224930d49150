import type { XComStorable, XComValue } from "./xcom-value.ts";

/** An Airflow Connection. Password and extra are masked in the task's log from now on. */
export interface Connection {
  readonly id: string;
  /** For example `postgres` or `http`. */
  readonly type: string;
  readonly host: string | null;
  readonly schema: string | null;
  readonly login: string | null;
  readonly password: string | null;
  readonly port: number | null;
  /** As stored: usually JSON, see {@link extraJson}. */
  readonly extra: string | null;
  /** `extra` read as JSON; null when it is empty. @throws SyntaxError when it is no JSON */
  extraJson(): unknown;
}

/** Names one XCom; what is left out is that of the calling task. */
export interface XComAddress {
  /** @default "return_value" */
  readonly key?: string | undefined;
  readonly dagId?: string | undefined;
  readonly runId?: string | undefined;
}

/** Which XCom to read. */
export interface GetXComOptions extends XComAddress {
  readonly taskId: string;
  /**
   * Instance of a mapped task that wrote it. Left out or null means a task that is not mapped:
   * the caller's own index is never filled in.
   */
  readonly mapIndex?: number | null | undefined;
  /** Look at earlier runs too. @default false */
  readonly includePriorDates?: boolean | undefined;
}

/** Which XCom to write; the calling task's own when nothing is said. */
export interface SetXComOptions extends XComAddress {
  readonly key: string;
  readonly taskId?: string | undefined;
  /** @default the calling task's own index, when it is the calling task's XCom */
  readonly mapIndex?: number | null | undefined;
  /** Number of elements, for tasks that are expanded over this value. */
  readonly mappedLength?: number | undefined;
}

/** Which XCom to delete; the calling task's own when nothing is said. */
export type DeleteXComOptions = Omit<SetXComOptions, "mappedLength">;

/** Every XCom that the instances of a mapped task wrote under one key. */
export interface XComSeriesOptions extends XComAddress {
  readonly taskId: string;
}

/** A part of such a series, as Python slices: negative numbers count from the end. */
export interface XComSliceOptions extends XComSeriesOptions {
  readonly start?: number | null | undefined;
  readonly stop?: number | null | undefined;
  readonly step?: number | null | undefined;
  readonly includePriorDates?: boolean | undefined;
}

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
 * `serve`) or ChannelClosedError (the supervisor has gone). Variables and Connections are asked
 * from Airflow alone: a worker's environment (`AIRFLOW_VAR_…`) is not looked at.
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
  /** Names of Variables and how many there are in all. */
  listVariableKeys(
    options?: ListVariableKeysOptions,
  ): Promise<{ readonly keys: readonly string[]; readonly total: number }>;

  /** The Connection, or null when there is none. */
  getConnection(id: string): Promise<Connection | null>;
  /** @throws NotFoundError `connection-not-found` */
  getConnectionOrThrow(id: string): Promise<Connection>;

  /**
   * An XCom of another task, or null when there is none: stock Airflow 3.3 answers null for both,
   * see {@link countXComs}. Integers beyond 2^53-1 come as bigint.
   */
  getXCom<Value = XComValue>(options: GetXComOptions): Promise<Value | null>;
  /** The same for a value that must be there. @throws NotFoundError `xcom-not-found`, also for null */
  getXComOrThrow<Value = XComValue>(options: GetXComOptions): Promise<Value>;
  /** How many XComs a task's instances wrote under a key; 0 tells that there is none. */
  countXComs(options: XComSeriesOptions): Promise<number>;
  /** One of a series by its place. @throws NotFoundError `xcom-not-found` */
  getXComItem<Value = XComValue>(
    options: XComSeriesOptions & { readonly index: number },
  ): Promise<Value>;
  /** Some or all of a series, in order of the map index. */
  getXComSlice<Value = XComValue>(options: XComSliceOptions): Promise<readonly Value[]>;
  /** @throws InvalidRequestError `invalid-value` when JSON cannot hold the value, with its path */
  setXCom<Value>(
    value: XComValue | (Value & XComStorable<Value>),
    options: SetXComOptions,
  ): Promise<void>;
  deleteXCom(options: DeleteXComOptions): Promise<void>;

  /**
   * Has a secret masked in the task's log. Wait for it before you log: the two travel on
   * different connections.
   */
  maskSecret<Value>(
    value: XComValue | (Value & XComStorable<Value>),
    options?: { readonly name?: string | null | undefined },
  ): Promise<void>;
}
