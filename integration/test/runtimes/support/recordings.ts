import type { FinalState, TaskInstanceSpec } from "@parlance/coordinator";
import { terminalState } from "@parlance/protocol";

/** A scenario of `data/frames-VERSION.golden.json`. */
export interface Recorded {
  /** What differed from the default in what the task was told. */
  readonly told: {
    readonly task_id: string;
    readonly dag_id?: string;
    readonly dag_rel_path?: string;
    readonly bundle?: string;
    readonly map_index?: number;
    readonly try_number?: number;
    readonly max_tries?: number;
    readonly should_retry?: boolean;
    readonly task_reschedule_count?: number;
    readonly next_method?: string;
    readonly next_kwargs?: Readonly<Record<string, unknown>>;
    readonly xcom_keys_to_clear?: readonly string[];
    readonly context_carrier?: Readonly<Record<string, string>>;
    readonly run_type?: "manual";
  };
  /** Whole frames: id, body, carrier and, from 3.4, the id of a task instance. */
  readonly sent: readonly RecordedFrame[];
  readonly exit: number;
}

/** A whole frame of a recording. */
export type RecordedFrame = readonly [number, Readonly<Record<string, unknown>>, ...unknown[]];

/** The task instance of every recording. */
const TASK_INSTANCE_ID = "019a0000-0000-7000-8000-000000000001";

/** Variables that a scenario sets for the runtime. */
export const ENVIRONMENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  logs_debug: { AIRFLOW__LOGGING__LOGGING_LEVEL: "DEBUG" },
  no_bundle_config: { AIRFLOW__DAG_PROCESSOR__DAG_BUNDLE_CONFIG_LIST: "[]" },
  carrier_otel: {
    AIRFLOW__TRACES__OTEL_ON: "True",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9/",
    OTEL_TRACES_EXPORTER: "console",
    AIRFLOW__TRACES__TASK_RUNNER_FLUSH_TIMEOUT_MILLISECONDS: "500",
  },
};

const CONNECTION = {
  conn_type: "http",
  host: "example.org",
  schema: "https",
  login: "bob",
  password: "pw-hunter2",
  port: 8080,
  extra: '{"a": 1}',
};

/** What the recorded supervisor knew. */
const SEED = {
  variables: {
    plain: "hello",
    jsonv: '{"k": [1, 2]}',
    ...{ v1: "1", v2: "2", v3: "3", v4: "4", v5: "5" },
  },
  connections: { my_conn: CONNECTION, c2: CONNECTION, c3: CONNECTION },
  xcoms: [
    { task_id: "push", value: { n: 41 } },
    { task_id: "mk_list", value: ["a", "b", "c"] },
    ...["a5", "b5", "c5"].map((value, index) => {
      return { task_id: "mapped", map_index: index, value };
    }),
  ],
};

const EVENT = {
  timestamp: "2026-01-01T12:00:00.123456Z",
  extra: { r: 2 },
  source: { dag_id: "d", run_id: "r", task_id: "t" },
};
const REFERENCED = [
  { name: "byuri", uri: "s3://bucket/ref" },
  { name: "byname", uri: "s3://bucket/byname" },
  { name: "al", uri: "s3://al", aliases: ["alias_in"] },
];

/** What it knew in a scenario of its own. */
const MORE: Readonly<Record<string, object>> = {
  assets: { asset_events: [{ name: "asset_in", uri: "s3://bucket/in", ...EVENT }] },
  assets2: {
    dag_runs: [{ dag_id: "d", run_id: "r" }],
    assets: REFERENCED,
    asset_events: [
      { ...EVENT, name: "al", uri: "s3://al", aliases: ["alias_in"] },
      { ...EVENT, name: "byuri", uri: "s3://bucket/ref" },
    ],
  },
  assets_inactive: { assets: [{ name: "asset_a", uri: "s3://bucket/a", active: false }] },
  runtime_queries: { dag_runs: [{ run_id: "r1", state: "success" }] },
  stores: { assets: [{ name: "asset_a", uri: "s3://bucket/a" }] },
  trig_exists: { dag_runs: [{ dag_id: "other", run_id: "fixed_run" }] },
};

/** How the run ends that a scenario triggers and waits for. */
export const TRIGGERED_RUN_ENDS: Readonly<Record<string, "success" | "failed">> = {
  trig_wait: "success",
  trig_wait_failed: "failed",
};

/** What to put into the store before a scenario. */
export function seedOf(name: string): object {
  return { ...SEED, ...MORE[name] };
}

/** What the coordinator is asked to run. */
export function specOf({ told }: Recorded): Partial<TaskInstanceSpec> {
  const { next_method: nextMethod, next_kwargs: nextKwargs, xcom_keys_to_clear: keys } = told;
  const count = told.task_reschedule_count ?? 0;
  return {
    id: TASK_INSTANCE_ID,
    dagId: told.dag_id ?? "proof",
    dagRelPath: told.dag_rel_path ?? "proof_dag.py",
    dagBundleName: told.bundle ?? "proofs",
    mapIndex: told.map_index ?? -1,
    tryNumber: told.try_number ?? 1,
    maxTries: told.max_tries ?? 0,
    shouldRetry: told.should_retry ?? false,
    contextCarrier: told.context_carrier ?? null,
    ...(nextMethod !== undefined && { nextMethod, nextKwargs: nextKwargs ?? null }),
    ...(keys !== undefined && { xcomKeysToClear: keys }),
    ...(count > 0 && {
      rescheduleCount: count,
      firstRescheduleStartDate: new Date(Date.now() - 60_000),
    }),
  };
}

/** The state that the recorded task reported last; null where it never did. */
export function reportedState({ sent }: Recorded): FinalState | null {
  for (const [, body] of sent.toReversed()) {
    const state = terminalState(body);
    if (state !== undefined) return state;
  }
  return null;
}
