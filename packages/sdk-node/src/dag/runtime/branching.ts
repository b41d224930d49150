import { InvalidRequestError } from "../../errors.ts";
import { kindOf } from "../../outcomes/check-arguments.ts";
import type { MappedTask } from "../../outcomes/skip.ts";
import type { DagDraft } from "../build/draft.ts";
import type { DagModel, TaskModel } from "../dag-model.ts";

/** Under which key Airflow's own branches say what they did: tasks that are cleared later look there. */
export const SKIP_KEY = "skipmixin_key";

/** What a branch or a short circuit comes to. */
export interface Skips {
  /** The value stored under {@link SKIP_KEY}; null: none. */
  readonly note: { readonly [word: string]: readonly string[] } | null;
  readonly tasks: readonly (string | MappedTask)[];
}

/** A Dag with its tasks by id. */
export interface KnownDag {
  readonly draft: DagDraft;
  readonly model: DagModel;
  readonly tasks: ReadonlyMap<string, TaskModel>;
}

/**
 * Reads what the handler of a branch returned.
 *
 * @returns full ids of the tasks and groups that it chose
 * @throws InvalidRequestError `invalid-value`
 */
export function readChoice(
  value: unknown,
  task: TaskModel,
  { draft, model }: KnownDag,
): readonly string[] {
  if (value === undefined || value === null) return [];
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  return names.map((name) => {
    const prefix = task.groupId === null ? "" : `${task.groupId}.`;
    const node = typeof name === "string" ? draft.find(name, prefix) : undefined;
    const isChoice = node !== undefined && (task.choices?.includes(node.id) ?? true);
    if (isChoice) return node.id;
    const known = task.choices ?? task.downstream;
    const message = `The branch returned ${kindOf(name)}, expected the id of a task or group of the Dag ${model.dagId}, several, or null; it can choose from ${known.join(", ")}`;
    throw new InvalidRequestError("invalid-value", "", message);
  });
}

/** What is skipped behind a branch that chose these tasks and groups. */
export function skipsOfBranch(chosen: readonly string[], task: TaskModel, dag: KnownDag): Skips {
  if (task.downstream.length === 0) return { note: null, tasks: [] };
  const followed = new Set(chosen.flatMap((id) => firstTasks(id, dag)));
  for (const id of [...followed]) for (const behind of allBehind(id, dag)) followed.add(behind);
  return {
    note: { followed: task.downstream.filter((id) => followed.has(id)) },
    tasks: task.downstream.filter((id) => !followed.has(id)).flatMap((id) => instances(id, dag)),
  };
}

/** What is skipped behind a short circuit whose condition is false. */
export function skipsOfShortCircuit(task: TaskModel, dag: KnownDag): Skips {
  const ids = task.ignoreDownstreamTriggerRules ? allBehind(task.taskId, dag) : task.downstream;
  if (ids.length === 0) return { note: null, tasks: [] };
  return { note: { skipped: ids }, tasks: ids.flatMap((id) => instances(id, dag)) };
}

/** A task, or the tasks of a group that come behind none of it. */
function firstTasks(id: string, { tasks }: KnownDag): readonly string[] {
  if (tasks.has(id)) return [id];
  const within = [...tasks.values()].filter(({ taskId }) => taskId.startsWith(`${id}.`));
  const isFirst = (task: TaskModel) => !task.upstream.some((other) => other.startsWith(`${id}.`));
  return within.filter(isFirst).map(({ taskId }) => taskId);
}

function allBehind(id: string, { tasks }: KnownDag): readonly string[] {
  const found = new Set<string>();
  const waiting = [id];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const behind of tasks.get(next)?.downstream ?? []) {
      if (found.has(behind)) continue;
      found.add(behind);
      waiting.push(behind);
    }
  }
  return [...found].sort();
}

/**
 * The instances of a task that are there when a task before it ends. Airflow makes those of a task
 * that is mapped over nothing but literal lists when the run begins, all others only when it starts
 * them.
 */
function instances(id: string, { tasks }: KnownDag): readonly (string | MappedTask)[] {
  const task = tasks.get(id);
  if (task === undefined || task.expand === null) return [id];
  let count = 1;
  for (const name of task.expand) {
    const input = task.inputs[name];
    if (input?.kind !== "each-literal") return [id];
    count *= Object.keys(input.value).length;
  }
  return [id, ...Array.from({ length: count }, (_, mapIndex) => ({ taskId: id, mapIndex }))];
}
