import { isParameterName } from "../python/identifiers.ts";
import type { DagFacts, GroupFacts, InputFacts } from "../read/dag-facts.ts";
import { type Findings, Scope } from "../read/findings.ts";
import { snakeCase } from "./snake-case.ts";

/** An input that the call of a stub shows. */
export interface PlacedInput {
  /** Of the stub's parameter. */
  readonly parameter: string;
  readonly input: InputFacts;
}

const RESULT = "return_value";

/** The ids of all tasks, in the order in which the file calls them. */
export function callOrder(group: GroupFacts): readonly string[] {
  return group.children.flatMap((child) =>
    typeof child === "string" ? [child] : callOrder(child),
  );
}

/**
 * Which inputs become arguments. Not all that a task takes can be one: 3.3 makes edges of them and
 * nothing else, and 3.4 refuses the Dag where one is no whole result of a task that is not mapped. The
 * program knows its inputs anyway.
 */
export function placeInputs(
  dag: DagFacts,
  findings: Findings,
): ReadonlyMap<string, readonly PlacedInput[]> {
  const placed = new Map<string, readonly PlacedInput[]>();
  const called = new Set<string>();
  for (const taskId of callOrder(dag.root)) {
    const task = dag.tasks.get(taskId);
    const scope = new Scope(findings, `task ${taskId} of Dag ${dag.dagId}`);
    const inputs = (task?.inputs ?? []).filter(({ isEach, from }) => {
      if ("literal" in from) return isEach;
      if (isEach) return isUsable(from, called, scope);
      const source = dag.tasks.get(from.taskId);
      const isDirect = source?.downstream.includes(taskId) === true && called.has(from.taskId);
      return isDirect && from.key === RESULT && source.isMapped === false;
    });
    placed.set(taskId, withParameters(inputs, scope));
    called.add(taskId);
  }
  return placed;
}

function isUsable(
  { taskId, key }: { readonly taskId: string; readonly key: string },
  called: ReadonlySet<string>,
  scope: Scope,
): boolean {
  const named = JSON.stringify(taskId);
  if (key !== RESULT) {
    scope.refuse(
      `is mapped over ${JSON.stringify(key)} of ${named}: Airflow maps over whole results alone`,
    );
    return false;
  }
  if (called.has(taskId)) return true;
  scope.refuse(`is mapped over ${named}, which does not come before it in the Dag`);
  return false;
}

/** The names that a Node program takes arguments by: its own, or those in snake case. */
function withParameters(inputs: readonly InputFacts[], scope: Scope): readonly PlacedInput[] {
  const taken = new Set<string>();
  return inputs.flatMap((input) => {
    const parameter = [snakeCase(input.name), input.name].find(
      (name) => isParameterName(name) && !taken.has(name),
    );
    if (parameter === undefined) {
      if (input.isEach) {
        scope.refuse(
          `is mapped over ${JSON.stringify(input.name)}, which Airflow does not take as the name of ` +
            "an argument: call it another name",
        );
      }
      return [];
    }
    taken.add(parameter);
    return [{ parameter, input }];
  });
}
