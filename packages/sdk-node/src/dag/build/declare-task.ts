import { RegistrationError } from "../../errors.ts";
import { kindOf } from "../../outcomes/check-arguments.ts";
import type { RetryPolicy, TaskHandler } from "../../task-handler.ts";
import { DagAsset } from "../assets/asset.ts";
import { checkTaskId } from "../check/ids.ts";
import { readInputs } from "../check/inputs.ts";
import { readNodes } from "../check/nodes.ts";
import { checkOptions, refuse } from "../check/refuse.ts";
import { readSettings, SETTING_NAMES } from "../check/settings.ts";
import type { TaskKind } from "../dag-model.ts";
import type { DagDraft } from "./draft.ts";

/** A call of `.task`, `.branch` or `.shortCircuit`. */
interface Declaration {
  readonly kind: TaskKind;
  readonly id: unknown;
  readonly options: unknown;
  readonly handler: unknown;
}

const METHODS = { task: "task", branch: "branch", "short-circuit": "shortCircuit" } as const;
const COMMON = ["after", "before", "inputs", "inlets", "outlets", "retryPolicy"];
const OPTIONS: { readonly [Kind in TaskKind]: readonly string[] } = {
  task: [...COMMON, "forEach", ...SETTING_NAMES],
  branch: [...COMMON, "choices", ...SETTING_NAMES.filter((name) => name !== "multipleOutputs")],
  "short-circuit": [
    ...COMMON,
    "ignoreDownstreamTriggerRules",
    ...SETTING_NAMES.filter((name) => name !== "multipleOutputs"),
  ],
};

/** Adds a task to a Dag. @throws RegistrationError; nothing has changed then */
export function declareTask(
  draft: DagDraft,
  groupId: string | null,
  { kind, id, options: given, handler }: Declaration,
): void {
  const { dagId, taskDefaults } = draft.facts;
  const prefix = groupId === null ? "" : `${groupId}.`;
  const call = `dag(${JSON.stringify(dagId)}).${METHODS[kind]}`;
  draft.checkOpen(`${call}(…)`);
  const taskId = checkTaskId(`${call}(…)`, prefix, id);
  const where = `${call}(${JSON.stringify(taskId)}, …)`;
  draft.checkFree(taskId, where);
  if (typeof handler !== "function") {
    const got = handler === undefined ? "no handler" : `${kindOf(handler)} as handler`;
    const message = `${where} got ${got}, expected a function: .${METHODS[kind]}("id", { … }, handler)`;
    throw new RegistrationError("bad-handler", message);
  }
  const options = checkOptions(where, given, OPTIONS[kind]);
  const place = { draft, prefix, own: taskId };
  const defaults = groupId === null ? taskDefaults : draft.groups.get(groupId)?.taskDefaults;
  const settings = { ...defaults, ...readSettings(where, options) };
  if (draft.facts.failFast && (settings.triggerRule ?? "all_success") !== "all_success") {
    const expected = "all_success, since the Dag has failFast";
    refuse(where, "triggerRule", settings.triggerRule, expected);
  }
  const inputs = readInputs(where, options["inputs"], options["forEach"], place);
  const isOverResult = Object.values(inputs.inputs).some((input) => input.kind === "each");
  if (settings.triggerRule === "always" && isOverResult) {
    const expected = "another one: Airflow refuses it for a task that is mapped over a result";
    refuse(where, "triggerRule", "always", expected);
  }
  draft.tasks.set(taskId, {
    taskId,
    label: id as string,
    groupId,
    kind,
    after: readNodes(where, "after", options["after"], place),
    before: readNodes(where, "before", options["before"], place),
    choices: readChoices(where, options["choices"]),
    ...inputs,
    settings: Object.freeze(settings),
    inlets: readAssets(where, "inlets", options["inlets"]),
    outlets: readAssets(where, "outlets", options["outlets"]),
    ignoreDownstreamTriggerRules: readFlag(where, options),
    retryPolicy: readPolicy(where, options["retryPolicy"]),
    handler: handler as TaskHandler<unknown, object>,
  });
}

function readChoices(where: string, choices: unknown): readonly string[] | null {
  if (choices === undefined) return null;
  if (!Array.isArray(choices) || choices.length === 0) {
    refuse(where, "choices", choices, "a list of ids of tasks and groups");
  }
  return choices.map((choice: unknown) => {
    if (typeof choice !== "string") refuse(where, "one of choices", choice, "an id");
    return choice;
  });
}

function readAssets(where: string, name: string, given: unknown): readonly DagAsset[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) refuse(where, name, given, "a list of assets");
  return given.map((each: unknown) => {
    if (!(each instanceof DagAsset)) refuse(where, `one of ${name}`, each, "asset(…)");
    return each;
  });
}

function readFlag(where: string, options: { readonly [name: string]: unknown }): boolean {
  const { ignoreDownstreamTriggerRules: value = true } = options;
  if (typeof value !== "boolean") {
    refuse(where, "ignoreDownstreamTriggerRules", value, "true or false");
  }
  return value;
}

function readPolicy(where: string, value: unknown): RetryPolicy | undefined {
  if (value === undefined || typeof value === "function") return value as RetryPolicy | undefined;
  return refuse(where, "retryPolicy", value, "a function");
}
