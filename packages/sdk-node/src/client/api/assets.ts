import type { JsonValue } from "../xcom-value.ts";
import type { Exact, Moment } from "./dates.ts";
import type { JsonMap } from "./json.ts";

/** Names an asset: by both, or by one of them, which Airflow then looks up. */
export type AssetRef =
  | { readonly name: string; readonly uri?: string | undefined }
  | { readonly name?: undefined; readonly uri: string };

/** An asset that some Dag names. */
export interface Asset {
  readonly name: string;
  readonly uri: string;
  readonly group: string;
  readonly extra: { readonly [key: string]: JsonValue };
}

/** What goes with an event. */
export interface EmitOptions {
  /** JSON that readers of the event get. @default {} */
  readonly extra?: JsonMap | undefined;
  /** Emit through this alias, which has to be an outlet of the task; it may make the asset. */
  readonly alias?: string | undefined;
  /** Partition of the asset that the event is about; not through an alias. */
  readonly partitionKey?: string | undefined;
}

/** Which events to read. */
export interface AssetEventFilter {
  readonly after?: Moment | undefined;
  readonly before?: Moment | undefined;
  readonly limit?: number | undefined;
  /** Oldest first. @default true */
  readonly ascending?: boolean | undefined;
  /** Needs schema 2026-10-30. */
  readonly partitionKey?: string | undefined;
  /** A regular expression of the database. Needs schema 2026-10-30. */
  readonly partitionKeyPattern?: string | undefined;
  /** Only events that have these texts in their extra. Needs schema 2026-10-30. */
  readonly extra?: { readonly [key: string]: string } | undefined;
}

/** A run that an event started. */
export interface AssetEventRun {
  readonly dagId: string;
  readonly runId: string;
  readonly state: string;
  readonly logicalDate: Date | null;
  readonly startDate: Date | null;
  readonly endDate: Date | null;
  readonly dataIntervalStart: Date | null;
  readonly dataIntervalEnd: Date | null;
  readonly partitionKey: string | null;
  readonly exact: Exact<
    "logicalDate" | "startDate" | "endDate" | "dataIntervalStart" | "dataIntervalEnd"
  >;
}

/** An event of an asset, with the task instance that emitted it, if a task did. */
export interface AssetEvent {
  readonly id: number;
  readonly timestamp: Date;
  readonly exact: Exact<"timestamp">;
  readonly asset: Asset;
  readonly extra: { readonly [key: string]: JsonValue };
  readonly source: {
    readonly dagId: string | null;
    readonly taskId: string | null;
    readonly runId: string | null;
    readonly mapIndex: number | null;
  };
  readonly createdRuns: readonly AssetEventRun[];
  readonly partitionKey: string | null;
}

/** Assets and their events. */
export interface Assets {
  /** The asset, or null when no Dag names it. */
  get(asset: AssetRef): Promise<Asset | null>;
  /** The assets that were emitted through an alias so far. */
  listByAlias(alias: string): Promise<readonly Asset[]>;
  /**
   * Adds an event that is recorded when the task succeeds, and is dropped when it does not. Each
   * call is one event. An asset that is an outlet in Python is not emitted by itself: the task
   * says what it made.
   *
   * @throws NotFoundError `asset-not-found` when only the name or the URI was given and no Dag has it
   */
  emit(asset: AssetRef, options?: EmitOptions): Promise<void>;
  /** Events of an asset, or of all assets under an alias; none when there is no such thing. */
  listEvents(
    of: AssetRef | { readonly alias: string },
    filter?: AssetEventFilter,
  ): Promise<readonly AssetEvent[]>;
  /** Inlets and outlets of this task that are not active. */
  listInactive(): Promise<readonly { readonly name: string | null; readonly uri: string | null }[]>;
}
