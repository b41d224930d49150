/** Plain JSON; what JSON lacks is tagged as `peers/celery/backend_peer/values.py` says. */
export type PeerValue = unknown;

/** How the app of a peer or worker is set up. */
export interface CeleryOptions {
  /** `json` */
  readonly serializer?: "json" | "pickle" | "yaml" | "msgpack";
  /** Serializers that results may have; the one above alone. */
  readonly accept?: readonly string[];
  /** `result_extended`; false. */
  readonly extended?: boolean;
  readonly timezone?: string;
  readonly enableUtc?: boolean;
  /** A connection pool, as in a forked worker; false is what clients have. */
  readonly pooled?: boolean;
  readonly tables?: { readonly task?: string; readonly group?: string };
  readonly schemas?: { readonly task?: string; readonly group?: string };
  /** Other settings of Celery by their Python names. */
  readonly conf?: Readonly<Record<string, unknown>>;
}

/** One write by Celery; `date_done` is laid over the row afterwards, ISO 8601. */
export type CeleryWrite =
  | {
      readonly id: string;
      readonly state?: string;
      readonly result?: PeerValue;
      readonly traceback?: string | null;
      readonly request?: Readonly<Record<string, unknown>>;
      /** `mark_as_started` and `mark_as_revoked` in place of `store_result`. */
      readonly via?: "started" | "revoked";
      readonly date_done?: string;
    }
  | {
      readonly group: string;
      readonly results: readonly unknown[];
      readonly parent?: unknown;
      readonly date_done?: string;
    }
  | { readonly forget: string }
  | { readonly delete_group: string }
  /** An INSERT past Celery; bytes as `{ $hex }`. */
  | { readonly raw: Readonly<Record<string, unknown>>; readonly table?: "task" | "group" };

/** What an operation raised. */
export interface PeerError {
  readonly error: {
    readonly type: string;
    readonly module: string;
    readonly message: string;
    readonly cause: string | null;
  };
}

/** A task as Celery reads it. */
export interface CeleryTask {
  readonly task_id: string;
  readonly status: string | null;
  readonly result: PeerValue;
  readonly traceback: string | null;
  readonly children: PeerValue;
  readonly date_done: string | null;
  readonly exists: boolean;
  readonly async: {
    readonly state: string | null;
    readonly ready: boolean;
    readonly successful: boolean;
    readonly failed: boolean;
    readonly children_tuples: PeerValue;
  };
  /** Extended columns and stamps. */
  readonly [field: string]: unknown;
}

/** A group as Celery restores it. */
export interface CeleryGroup {
  readonly taskset_id: string;
  readonly date_done: string | null;
  readonly tuple: PeerValue;
  readonly class: string;
}

/** Rows by column, bytes as `{ $hex }`, date-times as `YYYY-MM-DD HH:MM:SS[.ffffff]`. */
export interface CeleryDump {
  readonly task: readonly Readonly<Record<string, unknown>>[];
  readonly group: readonly Readonly<Record<string, unknown>>[];
}

/** The tables as SQLAlchemy makes and sees them. */
export interface CelerySchema {
  readonly dialect: string;
  readonly statements: readonly string[];
  readonly reflected: Readonly<Record<string, unknown>>;
  readonly sequences: readonly string[];
}

/** What to send to a worker: see `peers/celery/backend_peer/canvas.py`. */
export type CelerySend = (
  | {
      readonly task: string;
      readonly args?: readonly PeerValue[];
      readonly kwargs?: Readonly<Record<string, PeerValue>>;
      readonly options?: Readonly<Record<string, unknown>>;
    }
  | { readonly chain: readonly CelerySend[] }
  | { readonly group: readonly CelerySend[]; readonly save?: boolean }
  | { readonly chord: readonly CelerySend[]; readonly body: CelerySend }
) & { readonly stamps?: Readonly<Record<string, PeerValue>> };

/** What became of waiting: the value, or the exception as `{ $exc }`. */
export type CeleryOutcome = { readonly value: PeerValue } | { readonly raised: PeerValue };
