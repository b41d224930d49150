import type { DagModel, InputModel, TaskKind, TaskModel } from "../dag-model.ts";
import { encodeAsset } from "./assets.ts";
import { type Encoded, encodeJson, typed } from "./encode.ts";
import { encodeParams } from "./params.ts";
import { parlanceFields } from "./parlance-fields.ts";
import { encodePartial, encodeSettings } from "./settings.ts";

/** What Airflow's pages show as a task's operator. */
const OPERATORS: { readonly [Kind in TaskKind]: string } = {
  task: "TypeScriptTask",
  branch: "TypeScriptBranch",
  "short-circuit": "TypeScriptShortCircuit",
};

/** A task, mapped or not. */
export function encodeTask(task: TaskModel, dag: DagModel): Encoded {
  const { downstream, inlets, outlets } = task;
  const assets = {
    ...(inlets.length > 0 && { inlets: inlets.map(encodeAsset) }),
    ...(outlets.length > 0 && { outlets: outlets.map(encodeAsset) }),
  };
  const common = {
    task_id: task.taskId,
    task_type: OPERATORS[task.kind],
    _task_module: "@parlance/sdk-node",
    ...(downstream.length > 0 && { downstream_task_ids: downstream }),
    ...(dag.params.length > 0 && { params: encodeParams(dag.params, "dag") }),
    // Airflow looks for a decision of these alone when a task behind them is cleared.
    ...(task.kind !== "task" && { _can_skip_downstream: true }),
    _parlance: parlanceFields(task),
  };
  const own =
    task.expand === null
      ? { ...encodeSettings(task.settings), ...assets, _needs_expansion: false }
      : {
          _is_mapped: true,
          _expand_input_attr: "expand_input",
          _disallow_kwargs_override: true,
          expand_input: encodeExpansion(task, task.expand),
          // In the bag of arguments, where Airflow looks for them, a list is not read.
          ...assets,
          partial_kwargs: encodePartial(task.settings),
        };
  return { __var: { ...common, ...own }, __type: "operator" };
}

/** What the scheduler counts instances by: for each name a list, or the task that returns one. */
function encodeExpansion(task: TaskModel, names: readonly string[]): Encoded {
  const lists = names.map((name) => [name, encodeList(task.inputs[name] as InputModel)]);
  return { type: "dict-of-lists", value: typed("dict", Object.fromEntries(lists)) };
}

function encodeList(input: InputModel): Encoded {
  if (input.kind === "each-literal") return encodeJson(input.value);
  if (input.kind !== "each")
    throw new Error(`a task is mapped over an input of kind ${input.kind}`);
  return typed("xcomref", { task_id: input.taskId, key: input.key });
}
