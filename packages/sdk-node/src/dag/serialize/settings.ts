import type { TaskSettings } from "../dag-model.ts";
import { type Encoded, seconds, typed } from "./encode.ts";

/** A duration, as it stands among a task's fields (seconds) or in a bag of arguments (with its type). */
type EncodeDuration = (ms: number) => Encoded;

const asArgument: EncodeDuration = (ms) => typed("timedelta", seconds(ms));

/** What a task says of itself, as the fields of its entry. */
export function encodeSettings(settings: Partial<TaskSettings>): { [field: string]: Encoded } {
  const { task_display_name: shown, ...rest } = encode(complete(settings), seconds);
  return shown === undefined ? rest : { ...rest, _task_display_name: shown };
}

/** The arguments that a mapped task makes each of its instances with. */
export function encodePartial(settings: Partial<TaskSettings>): { [field: string]: Encoded } {
  return encodeArguments(complete(settings));
}

/** In Python, who waits for what is downstream of the past depends on the past. */
function complete(settings: Partial<TaskSettings>): Partial<TaskSettings> {
  return settings.waitForDownstream === true ? { ...settings, dependsOnPast: true } : settings;
}

/** The same as the arguments of an operator: `default_args` of a Dag. */
export function encodeArguments(settings: Partial<TaskSettings>): { [field: string]: Encoded } {
  return encode(settings, asArgument);
}

function encode(
  settings: Partial<TaskSettings>,
  duration: EncodeDuration,
): { [field: string]: Encoded } {
  const ms = (value: number | undefined) => (value === undefined ? undefined : duration(value));
  const all = {
    owner: settings.owner,
    task_display_name: settings.displayName,
    doc_md: settings.doc,
    retries: settings.retries,
    retry_delay: ms(settings.retryDelayMs),
    retry_exponential_backoff: settings.retryExponentialBackoff,
    max_retry_delay: ms(settings.maxRetryDelayMs),
    pool: settings.pool,
    pool_slots: settings.poolSlots,
    queue: settings.queue,
    trigger_rule: settings.triggerRule,
    priority_weight: settings.priorityWeight,
    weight_rule: settings.weightRule,
    execution_timeout: ms(settings.executionTimeoutMs),
    depends_on_past: settings.dependsOnPast,
    ignore_first_depends_on_past: settings.ignoreFirstDependsOnPast,
    wait_for_downstream: settings.waitForDownstream,
    max_active_tis_per_dag: settings.maxActiveTisPerDag,
    max_active_tis_per_dagrun: settings.maxActiveTisPerDagrun,
    multiple_outputs: settings.multipleOutputs,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
