/** A number that JSON has no way to write, or would lose digits of. */
export type SpecialNumber =
  | { readonly $f: string } // "nan", "inf", "-inf"
  | { readonly $int: string };

/** A whole number of microseconds or seconds. */
export type VectorInteger = number | { readonly $int: string };

/**
 * One question to the real calculation, in the format of the golden file and of the differential test:
 * one JSON object, names as there.
 */
export interface RetryVector {
  /**
   * `sdk`: values as in a Dag file, through serialisation; dates through the database. `mapped`: the
   * same for a mapped operator. `memory`: as `sdk`, but the dates were never stored, so the logical date
   * keeps its offset. `direct`: values put onto the scheduler's task as they are.
   */
  readonly layer: "sdk" | "mapped" | "memory" | "direct";
  readonly dag_id: string;
  readonly task_id: string;
  /** ISO 8601 with an offset; null for a run without one. */
  readonly logical_date: string | null;
  /** ISO 8601 with an offset, of the failed attempt; null when it was never recorded. */
  readonly end_date: string | null;
  readonly try_number: number;
  /** Null: not set, 300 s. */
  readonly retry_delay_us: VectorInteger | null;
  /** `"$default"`: not set. */
  readonly multiplier: SpecialNumber | boolean | number | string | null;
  readonly max_retry_delay_us?: VectorInteger | null;
  /** `[core] max_task_retry_delay`; null: the default. */
  readonly max_task_retry_delay_s?: VectorInteger | null;
  readonly override_seconds?: SpecialNumber | boolean | number | null;
  /** Has no influence. */
  readonly map_index?: number;
}
