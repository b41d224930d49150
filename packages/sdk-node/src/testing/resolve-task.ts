import { Bundle, type DagProgram, isBundle, toBundle } from "../bundle.ts";
import { type Input, literal } from "../inputs/input.ts";
import type { TaskHandler } from "../task-handler.ts";
import type { TaskInstanceOptions } from "./startup-details.ts";

/** A task with the bundle that it is in. */
export interface ResolvedTask {
  readonly bundle: Bundle;
  readonly dagId: string;
  readonly taskId: string;
}

/** The task that is meant. @throws TypeError when that is not clear */
export function resolveTask<Inputs extends object>(
  target: Bundle | DagProgram | TaskHandler<unknown, Inputs>,
  { dagId, taskId, inputs }: TaskInstanceOptions & { readonly inputs?: Inputs | undefined },
): ResolvedTask {
  if (typeof target === "function") {
    const [dag, task] = [dagId ?? "dag", taskId ?? "task"];
    const given = Object.entries(inputs ?? {}).map(([name, value]) => [name, literal(value)]);
    const declared = Object.fromEntries(given) as { readonly [name: string]: Input };
    const handler = target as TaskHandler<unknown, object> as TaskHandler<undefined, object>;
    const bundle = new Bundle().task(dag, task, { inputs: declared }, handler);
    return { bundle, dagId: dag, taskId: task };
  }
  if (!isBundle(target) && !(target?.registered instanceof Map)) {
    throw new TypeError(
      `a handler, a Bundle or a dag(…) was expected as the task to run, not ${typeof target}`,
    );
  }
  const found = findTask(toBundle(target), dagId, taskId);
  if (inputs === undefined) return found;
  const dag = found.bundle.dags.find((each) => each.dagId === found.dagId);
  if (dag === undefined) {
    throw new TypeError(
      "inputs are for a bare handler or a task of a dag(…): a bundle's tasks declare where theirs come from",
    );
  }
  return { ...found, bundle: new Bundle().add(withInputs(dag, found.taskId, inputs)) };
}

/** The Dag with inputs of one task as they are given in a test. */
function withInputs(dag: DagProgram, taskId: string, inputs: object): DagProgram {
  const task = dag.registered.get(taskId);
  if (task === undefined) return dag;
  const given = Object.entries(inputs).map(([name, value]) => {
    if (Object.hasOwn(task.inputs, name)) return [name, literal(value)] as const;
    const known = Object.keys(task.inputs).join(", ");
    throw new TypeError(
      `the task ${JSON.stringify(taskId)} has no input ${JSON.stringify(name)}; it has ${known}`,
    );
  });
  const changed = { ...task, inputs: { ...task.inputs, ...Object.fromEntries(given) } };
  const registered = new Map([...dag.registered, [taskId, changed] as const]);
  return {
    dagId: dag.dagId,
    model: dag.model,
    registered,
    serialize: (file) => dag.serialize(file),
  };
}

function findTask(
  target: Bundle,
  dagId: string | undefined,
  taskId: string | undefined,
): ResolvedTask {
  if (dagId !== undefined && taskId !== undefined) return { bundle: target, dagId, taskId };
  const tasks = target.list().flatMap(([dag, ids]) => ids.map((id) => [dag, id] as const));
  const fitting = tasks.filter(([dag, id]) => (dagId ?? dag) === dag && (taskId ?? id) === id);
  const [only] = fitting;
  if (fitting.length === 1 && only !== undefined) {
    return { bundle: target, dagId: only[0], taskId: only[1] };
  }
  const known = tasks.map((names) => names.join(".")).join(", ");
  throw new TypeError(
    `which task of the bundle is to run? ${fitting.length} fit; give dagId and taskId (it has ${known})`,
  );
}
