import { isSensitiveName, type SecretMasker } from "@parlance/coordinator";
import type { RunnableDag, RunnableParam, RunnableTask } from "@parlance/coordinator/dag-run";
import type { DagDetail, DagSummary, Param, RunSummary, Task } from "../api/types.ts";
import { masked } from "./mask.ts";

/** A Dag of the project, with how it was made. */
export interface KnownDag {
  readonly dag: RunnableDag;
  readonly kind: DagSummary["kind"];
}

/** A Dag in a list. */
export function dagSummary({ dag, kind }: KnownDag, lastRun: RunSummary | null): DagSummary {
  return {
    dagId: dag.dagId,
    kind,
    displayName: dag.displayName,
    description: dag.description,
    tags: dag.tags,
    schedule: dag.schedule,
    taskCount: dag.tasks.length,
    lastRun,
  };
}

/** A Dag with its tasks. */
export function dagDetail(
  known: KnownDag,
  lastRun: RunSummary | null,
  masker: SecretMasker,
): DagDetail {
  const { dag } = known;
  return {
    ...dagSummary(known, lastRun),
    tasks: inOrder(dag.tasks).map(toTask),
    groups: dag.groups.map(({ groupId, displayName, parentId }) => {
      return { groupId, displayName, parentId };
    }),
    params: dag.params.map((param) => toParam(param, masker)),
    docMd: dag.docMd,
    maxActiveTasks: dag.maxActiveTasks,
  };
}

/** A param, its default masked where it is secret. */
export function toParam(param: RunnableParam, masker: SecretMasker): Param {
  const shown = masked(masker, { [param.name]: param.default })[param.name];
  const isSecret = param.hasDefault && (isSensitiveName(param.name) || shown !== param.default);
  return {
    name: param.name,
    value: !param.hasDefault ? null : isSecret ? "***" : param.default,
    isRequired: !param.hasDefault,
    isSecret,
    schema: isSecret ? {} : param.schema,
    description: param.description,
  };
}

function toTask(task: RunnableTask): Task {
  return {
    taskId: task.taskId,
    displayName: task.displayName,
    kind: task.kind,
    groupId: task.groupId,
    upstream: task.upstream,
    downstream: task.downstream,
    isMapped: task.isMapped,
    triggerRule: task.triggerRule,
    retries: task.retries,
    retryDelaySeconds: task.retryDelaySeconds,
    retryExponentialBackoff: task.retryExponentialBackoff,
    maxRetryDelaySeconds: task.maxRetryDelaySeconds,
    executionTimeoutSeconds: task.executionTimeoutSeconds,
    pool: task.pool,
    poolSlots: task.poolSlots,
    queue: task.queue,
    priorityWeight: task.priorityWeight,
    docMd: task.docMd,
  };
}

/** After what they depend on, ties as defined. What is on a cycle, which no Dag has, comes last. */
function inOrder(tasks: readonly RunnableTask[]): readonly RunnableTask[] {
  const open = new Map(tasks.map((task) => [task.taskId, task.upstream.length]));
  const byId = new Map(tasks.map((task) => [task.taskId, task]));
  const places = new Map(tasks.map(({ taskId }, at) => [taskId, at]));
  const placeOf = (id: string): number => places.get(id) ?? 0;
  const ordered: RunnableTask[] = [];
  let ready = tasks.filter((task) => task.upstream.length === 0);
  while (ready.length > 0) {
    ordered.push(...ready);
    const next = new Set<string>();
    for (const id of ready.flatMap((task) => task.downstream)) {
      const left = (open.get(id) ?? 0) - 1;
      open.set(id, left);
      if (left === 0) next.add(id);
    }
    const ids = [...next].sort((a, b) => placeOf(a) - placeOf(b));
    ready = ids.flatMap((id) => byId.get(id) ?? []);
  }
  const done = new Set(ordered);
  return [...ordered, ...tasks.filter((task) => !done.has(task))];
}
