import type { TaskFacts } from "./dag-facts.ts";
import { type Findings, Scope } from "./findings.ts";

/** What Airflow would refuse the whole file for: trigger rules that go with nothing else. */
export function checkRules(
  dagId: string,
  isFailFast: boolean,
  tasks: Iterable<TaskFacts>,
  findings: Findings,
): void {
  for (const { taskId, args, inputs } of tasks) {
    const rule = new Map(args).get("trigger_rule");
    const scope = new Scope(findings, `task ${taskId} of Dag ${dagId}`);
    if (isFailFast && rule !== undefined) {
      scope.refuse(
        `has the trigger rule ${String(rule)}, and its Dag is fail_fast, which allows none`,
      );
    }
    const waits = inputs.some(({ isEach, from }) => isEach && "taskId" in from);
    if (rule === '"always"' && waits) {
      scope.refuse(
        'has the trigger rule "always", and is mapped over a result, which it has to wait for',
      );
    }
  }
}
