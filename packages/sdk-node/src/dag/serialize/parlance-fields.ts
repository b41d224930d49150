import type { InputModel, TaskModel } from "../dag-model.ts";
import type { Encoded } from "./encode.ts";

/**
 * What Airflow's format has no place for, under the key `_parlance` of a task: what its handler's
 * result means, and where its inputs come from. `parlance run` and `parlance dag emit` read it; the
 * task's own process knows it anyway.
 */
export function parlanceFields(task: TaskModel): Encoded {
  const inputs = Object.entries(task.inputs).map(([name, input]) => [name, encodeInput(input)]);
  return {
    kind: task.kind,
    inputs: Object.fromEntries(inputs),
    ...(task.expand === null ? {} : { expand: task.expand }),
    ...(task.choices === null ? {} : { choices: task.choices }),
    ...(task.kind === "short-circuit"
      ? { ignore_downstream_trigger_rules: task.ignoreDownstreamTriggerRules }
      : {}),
  };
}

function encodeInput(input: InputModel): Encoded {
  switch (input.kind) {
    case "xcom": {
      const { kind, taskId, key, dagId } = input;
      return { kind, task_id: taskId, key, ...(dagId === null ? {} : { dag_id: dagId }) };
    }
    case "each":
      return { kind: input.kind, task_id: input.taskId, key: input.key };
    default:
      return input; // plain JSON, in names of one word
  }
}
