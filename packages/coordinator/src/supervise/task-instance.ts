import type { Timestamp } from "@parlance/framing";
import type { AssetKey } from "../store/asset-store.ts";
import type { TaskInstanceRef } from "../store/task-store.ts";

/** A date a caller may give: a `Date`, framing's exact class, or none. */
export type DateInput = Date | Timestamp | null;

/** Which try of which task is run. */
export interface TaskInstanceSpec {
  readonly dagId: string;
  readonly taskId: string;
  readonly runId: string;
  /** From 1. */
  readonly tryNumber: number;
  /** -1, the default, for a task that is not mapped. */
  readonly mapIndex?: number;
  /** How often the task may be retried: `retries` of the Dag. Default 0. */
  readonly maxTries?: number;
  /** Whether a failed try may be followed by another. Default: as Airflow's server computes it. */
  readonly shouldRetry?: boolean;
  /** Default `default`. */
  readonly queue?: string;
  /** UUID of this try. Default: a new one. */
  readonly id?: string;
  /** UUID of the Dag's version. Default: a new one. */
  readonly dagVersionId?: string;
  /** Where the task ran before; "" on a first try, as on a real server. */
  readonly hostname?: string | null;
  /** OpenTelemetry's context (`traceparent`, …). Default none. */
  readonly contextCarrier?: { readonly [key: string]: string } | null;
  /** Path of the Dag's file in its Dag bundle. Default `<dagId>.py`. */
  readonly dagRelPath?: string;
  /** Name of the Dag bundle. Default `parlance`. */
  readonly dagBundleName?: string;
  /** Version of the Dag bundle. Default null. */
  readonly dagBundleVersion?: string | null;
  /**
   * The method that a task which deferred itself, or waited for input, is resumed with. Default:
   * what `resume` of the request makes it, else null, and the task begins at its beginning.
   */
  readonly nextMethod?: string | null;
  /** The arguments of that method in wire form, `event` among them. Default null. */
  readonly nextKwargs?: { readonly [name: string]: unknown } | string | null;
  /** How often this try has rescheduled itself. Default: what the store has of it, else 0. */
  readonly rescheduleCount?: number;
  /** When the first of them began. Default: what the store has of it, else null. */
  readonly firstRescheduleStartDate?: DateInput;
  /** When a try that is resumed began. Default: what the store has of it, else the present. */
  readonly startDate?: DateInput;
  /**
   * Keys of XComs that the task is told to delete by itself, as Airflow's Python runner does, which
   * knows the XCom backend behind them. Default none: what an earlier try left is deleted before
   * the task starts.
   */
  readonly xcomKeysToClear?: readonly string[];
}

/** What a task sees of its Dag run. An absent date is taken from the run id, or is the present. */
export interface DagRunSpec {
  readonly logicalDate?: DateInput;
  readonly dataIntervalStart?: DateInput;
  readonly dataIntervalEnd?: DateInput;
  readonly runAfter?: Exclude<DateInput, null>;
  readonly startDate?: DateInput;
  readonly endDate?: DateInput;
  readonly clearNumber?: number;
  readonly runType?:
    | "backfill"
    | "scheduled"
    | "manual"
    | "operator_triggered"
    | "asset_triggered"
    | "asset_materialization";
  readonly state?: "queued" | "running" | "success" | "failed";
  readonly conf?: { readonly [key: string]: unknown } | null;
  readonly triggeringUserName?: string | null;
  readonly partitionKey?: string | null;
  readonly partitionDate?: DateInput;
  readonly note?: string | null;
  readonly teamName?: string | null;
  /**
   * The changes of assets that the run was made for, e.g. what `store.assets.events` gives. Default
   * none; a store does not keep them with the run.
   */
  readonly consumedAssetEvents?: readonly ConsumedAssetEvent[];
}

/** A change of an asset that a run was made for. */
export interface ConsumedAssetEvent extends AssetKey {
  /** ISO 8601 text with a zone, or a date. */
  readonly timestamp: string | Exclude<DateInput, null>;
  readonly extra?: { readonly [key: string]: unknown };
  /** `extra` of the asset itself. */
  readonly assetExtra?: { readonly [key: string]: unknown };
  /** The aliases it was emitted for. */
  readonly aliases?: readonly string[];
  readonly partitionKey?: string | null;
  /** Who changed it. */
  readonly source?: TaskInstanceRef | null;
}

/** Whether a try that fails may be followed by another, as Airflow's server computes it. */
export function shouldRetry(spec: TaskInstanceSpec): boolean {
  const maxTries = spec.maxTries ?? 0;
  return spec.shouldRetry ?? (maxTries !== 0 && spec.tryNumber <= maxTries);
}
