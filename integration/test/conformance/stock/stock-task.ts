import type { CaseEvidence, ConformanceCase } from "@parlance/conformance";
import { toExactJson } from "@parlance/coordinator";
import { Timestamp } from "@parlance/framing";
import type { HarnessStore, SuperviseTask } from "@parlance/test-kit";
import { faultsOf } from "./unplayable.ts";

type Fields = { readonly [name: string]: unknown };

/** Of the context, what the server says and the harness does not set by itself. */
const CONTEXT = ["next_method", "next_kwargs", "xcom_keys_to_clear", "max_tries"] as const;
const DAG_RUN = [
  ...["logical_date", "data_interval_start", "data_interval_end", "run_after", "start_date"],
  ...["run_type", "conf", "clear_number"],
];

/**
 * The attempt of a case for the real supervisor: with the same start-up details that the kit's own run sent, the same
 * store, the same signal.
 *
 * @throws Error where the kit's run sent no start-up details
 */
export function stockTask(
  one: ConformanceCase,
  ours: CaseEvidence,
  queue: string,
  keyOfLaunch: string,
): SuperviseTask {
  const first = ours.frames.find(({ direction }) => direction === "to-task")?.body as Fields;
  if (first?.["type"] !== "StartupDetails") {
    throw new Error(`${one.id} on ${keyOfLaunch}: the kit's run sent no start-up details`);
  }
  const ti = asJson(first["ti"]) as Fields;
  const context = asJson(first["ti_context"]) as Fields;
  const { arg_bindings: bindings, should_retry: shouldRetry } = context;
  const faults = faultsOf(one.link) ?? [];
  return {
    dagId: String(ti["dag_id"]),
    taskId: String(ti["task_id"]),
    runId: String(ti["run_id"]),
    tryNumber: Number(ti["try_number"]),
    mapIndex: Number(ti["map_index"]),
    taskInstanceId: String(ti["id"]),
    contextCarrier: ti["context_carrier"] as Record<string, string>,
    maxTries: Number(context["max_tries"]),
    shouldRetry: shouldRetry === true,
    queue,
    store: {
      ...storeOf(one),
      dag_run: pick(context["dag_run"] as Fields, DAG_RUN),
      ti_context: pick(context, CONTEXT),
    },
    ...(Array.isArray(bindings) && { argBindings: bindings }),
    ...(faults.length > 0 && { faults }),
    ...(one.signal?.afterLog !== undefined && { sigtermOnLog: one.signal.afterLog }),
    loggingLevel: one.logLevel ?? "DEBUG",
    ...(one.namespaceLevels !== undefined && { namespaceLevels: one.namespaceLevels }),
    watchdogSeconds: Math.max(one.deadlineSeconds, 60), // for a busy machine: nothing waits for it
    keepFrames: true,
  };
}

/**
 * A server clears the XComs of a try before that begins. Ours is one; the harness stands for an API that only says what is
 * to be cleared.
 */
function storeOf({ store, task, instance, xcomKeysToClear }: ConformanceCase): HarnessStore {
  const { xcoms = [], ...rest } = store as HarnessStore;
  const keeps = xcomKeysToClear !== undefined || instance.nextMethod !== undefined;
  return { ...rest, xcoms: xcoms.filter(({ task_id }) => keeps || task_id !== task) };
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.filter((name) => name in fields).map((name) => [name, fields[name]]),
  );
}

/** As the API has it: date-times as text. */
function asJson(value: unknown): unknown {
  if (value instanceof Timestamp) return value.toISOString();
  if (Array.isArray(value)) return value.map(asJson);
  if (value === null || typeof value !== "object" || value.constructor !== Object) {
    return toExactJson(value);
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asJson(inner)]));
}
