import type { Instant } from "../time/instant.ts";
import type { ReadTask } from "./read-task.ts";
import type { TaskResource } from "./task-resource.ts";
import { toTimeDelta } from "./time-delta.ts";

/** A task in the form and the order of fields of the REST API. */
export function toResource(task: ReadTask): TaskResource {
  const { executionTimeoutUs, multiplier } = task;
  return {
    task_id: task.taskId,
    task_display_name: task.displayName,
    owner: task.owner,
    start_date: dateText(task.startDate),
    end_date: dateText(task.endDate),
    trigger_rule: task.triggerRule,
    depends_on_past: task.dependsOnPast,
    wait_for_downstream: task.waitForDownstream,
    retries: task.retries,
    queue: task.queue,
    pool: task.pool,
    pool_slots: task.poolSlots,
    execution_timeout: executionTimeoutUs === null ? null : toTimeDelta(executionTimeoutUs),
    retry_delay: toTimeDelta(task.retryDelayUs),
    // JSON has no NaN and no infinity: Airflow's server sends null for them (recorded).
    retry_exponential_backoff: Number.isFinite(multiplier) ? multiplier : null,
    priority_weight: task.priorityWeight,
    weight_rule: task.weightRule,
    ui_color: task.uiColor,
    ui_fgcolor: task.uiFgcolor,
    template_fields: task.templateFields,
    downstream_task_ids: task.downstreamTaskIds,
    doc_md: task.docMd,
    operator_name: task.operatorName,
    params: task.params,
    class_ref: { module_path: task.modulePath, class_name: task.className },
    is_mapped: task.isMapped,
    extra_links: [],
  };
}

function dateText(date: Instant | null): string | null {
  return date === null ? null : date.toUtc().toIso().replace("+00:00", "Z");
}
