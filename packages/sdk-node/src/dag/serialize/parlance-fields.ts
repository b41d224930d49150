import type { InputModel, TaskModel } from "../dag-model.ts";
import { type Encoded, encodeJson } from "./encode.ts";

/**
 * What Airflow's format has no place for, under the key `_parlance` of a task: what its handler's
 * result means, and where its inputs come from. `parlance run` and `parlance dag emit` read it; the
 * task's own process knows it anyway. It is encoded as other values are: a plain object under a key
 * that it does not know is what Airflow 3.4.0b2 refuses a Dag for.
 */
export function parlanceFields(task: TaskModel): Encoded {
  const inputs = Object.entries(task.inputs).map(([name, input]) => [name, inputFields(input)]);
  return encodeJson({
    kind: task.kind,
    inputs: Object.fromEntries(inputs),
    ...(task.expand !== null && { expand: task.expand }),
    ...(task.choices !== null && { choices: task.choices }),
    ...(task.kind === "short-circuit" && {
      ignore_downstream_trigger_rules: task.ignoreDownstreamTriggerRules,
    }),
  });
}

function inputFields(input: InputModel): object {
  switch (input.kind) {
    case "xcom": {
      const { kind, taskId, key, dagId } = input;
      return { kind, task_id: taskId, key, ...(dagId !== null && { dag_id: dagId }) };
    }
    case "each":
      return { kind: input.kind, task_id: input.taskId, key: input.key };
    default:
      return input; // plain JSON, in names of one word
  }
}
