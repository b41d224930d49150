/** `[core]` options of Airflow 3.3.2 that decide about retries, where the configuration says nothing. */
export const CORE_DEFAULTS: {
  /** Retries of a task that sets none. */
  readonly defaultTaskRetries: number;
  /** The `retry_delay` of a task that sets none. */
  readonly defaultTaskRetryDelaySeconds: number;
  /** The cap of every wait with back-off; read once when Airflow starts, the same for all tasks. */
  readonly maxTaskRetryDelaySeconds: number;
} = {
  defaultTaskRetries: 0,
  defaultTaskRetryDelaySeconds: 300,
  maxTaskRetryDelaySeconds: 86_400,
};

/** The same default of `retry_delay` in the unit of every delay here. */
export const DEFAULT_RETRY_DELAY_US: bigint =
  BigInt(CORE_DEFAULTS.defaultTaskRetryDelaySeconds) * 1_000_000n;
