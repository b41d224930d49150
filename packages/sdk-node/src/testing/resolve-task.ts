import { Bundle, isBundle } from "../bundle.ts";
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
  target: Bundle | TaskHandler<unknown, Inputs>,
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
  if (inputs !== undefined) {
    throw new TypeError(
      "inputs are for a bare handler: a bundle's tasks declare where theirs come from",
    );
  }
  if (!isBundle(target)) {
    throw new TypeError(
      `a handler or a Bundle was expected as the task to run, not ${typeof target}`,
    );
  }
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
