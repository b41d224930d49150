import type { JsonValue } from "../xcom-value.ts";
import type { JsonStorable } from "./json.ts";

/** How long a value of the task's state is kept. */
export interface KeepOptions {
  /**
   * From now on; null is for ever.
   *
   * @default 30 days, or `AIRFLOW__STATE_STORE__DEFAULT_RETENTION_DAYS`, as in Python tasks
   */
  readonly keepForMs?: number | null | undefined;
}

/** Values by key. Null cannot be stored, so null always says that there is none. */
interface StateStore {
  get<Value = JsonValue>(key: string): Promise<Value | null>;
  delete(key: string): Promise<void>;
  /** Deletes every key. */
  clear(): Promise<void>;
}

/**
 * What this task instance keeps from one try to the next, for example the id of a job that it
 * started elsewhere. Airflow clears it when the task succeeds.
 */
export interface TaskStateStore extends StateStore {
  /** @throws InvalidRequestError `invalid-value` for null and what JSON cannot hold */
  set<Value>(
    key: string,
    value: JsonValue | (Value & JsonStorable<Value>),
    options?: KeepOptions,
  ): Promise<void>;
}

/** What is kept with an asset, for example how far it was read; whoever may use the asset sees it. */
export interface AssetStateStore extends StateStore {
  /** @throws InvalidRequestError `invalid-value` for null and what JSON cannot hold */
  set<Value>(key: string, value: JsonValue | (Value & JsonStorable<Value>)): Promise<void>;
}
