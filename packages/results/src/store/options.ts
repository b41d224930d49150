import type { SerializerName } from "../serializers/serializer.ts";

/** Which zone `date_done` is written and compared in. */
export interface DateOptions {
  /**
   * `"utc"` (default): every `date_done` is UTC on every database, and so is the cutoff of a cleanup.
   *
   * `"celery"`: what Celery 5.7.0 writes. SQLite, MySQL and MariaDB get the wall clock of the app's zone
   * (`timezone`, else UTC, else the process's own with `enableUtc: false`); PostgreSQL turns the instant
   * into the session's `TimeZone`. Where an unready state is stored twice the time is UTC, as there.
   * Unlike Celery, a cleanup compares in the zone that finished tasks are written in, so rows in a zone
   * west of UTC are not removed hours early.
   */
  readonly dates?: "utc" | "celery" | undefined;
  /** Celery's `timezone`, an IANA name; implies `dates: "celery"`. */
  readonly timezone?: string | undefined;
  /** Celery's `enable_utc`; `false` implies `dates: "celery"`. Default true. */
  readonly enableUtc?: boolean | undefined;
}

/** Time and waiting, for tests with a clock of their own. */
export interface StoreClock {
  now(): Date;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** What a store does with values and columns; where the database is comes on top (`DatabaseOptions`). */
export interface StoreOptions extends DateOptions {
  /** `result_serializer`. Default `"json"`. */
  readonly serializer?: SerializerName | undefined;
  /** `result_extended`: write and read name, args, kwargs, worker, retries, queue and stamps. Default false. */
  readonly extended?: boolean | undefined;
  /** `result_expires`: the age at which `cleanup` removes rows. Default 86,400 (one day). */
  readonly resultExpiresSeconds?: number | undefined;
  /** Put in place of U+0000 in text on PostgreSQL, which can't hold it. Default `"\uFFFD"`. */
  readonly nulReplacement?: string | undefined;
  readonly clock?: StoreClock | undefined;
}

/** How `get` reads a row. */
export interface GetOptions {
  /**
   * What to do with a result, children, args or kwargs that can't be read: `"throw"` (default), or
   * `"keep"` the rest of the row, with the bytes and the error under `undecodable`.
   */
  readonly undecodable?: "throw" | "keep" | undefined;
}

/** What `cleanup` removes, and how gently. */
export interface CleanupOptions {
  /** Rows whose `date_done` is older than this are removed; 0 removes all that have one. Default: the store's. */
  readonly expiresSeconds?: number | undefined;
  /** Most rows of one batch. Default: found while it runs, so that a batch takes about 50 ms. */
  readonly batchSize?: number | undefined;
  /** Called after each batch. */
  readonly onProgress?: ((progress: CleanupProgress) => void) | undefined;
  /** Ends the cleanup between two batches; what was removed stays removed. */
  readonly signal?: AbortSignal | undefined;
}

/** Counts so far. */
export interface CleanupProgress {
  readonly tasks: number;
  readonly groups: number;
  readonly batches: number;
  /** How long the longest batch (and so the longest lock) took. */
  readonly longestBatchMs: number;
}

/** How long `wait` waits. */
export interface WaitOptions {
  /** From now; 0 looks once. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Between two looks. Default 500. */
  readonly intervalMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Throw the {@link TaskFailure} of a FAILURE or REVOKED task. Default true; false returns its meta. */
  readonly propagate?: boolean | undefined;
}

/** Which rows `list` yields; all conditions hold together. */
export interface ListOptions {
  /** Exactly this state. */
  readonly state?: string | undefined;
  /** Exactly this task name; only extended stores write one. */
  readonly name?: string | undefined;
  /** `date_done` is older than this; rows without one are left out. */
  readonly olderThanSeconds?: number | undefined;
  /** Rows fetched at a time. Default 500. */
  readonly pageSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}
