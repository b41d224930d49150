import { RegistrationError } from "../../errors.ts";
import { kindOf } from "../../outcomes/check-arguments.ts";
import { checkGroupId } from "../check/ids.ts";
import { readNodes } from "../check/nodes.ts";
import { checkOptions, refuse } from "../check/refuse.ts";
import { readDefaults } from "../check/settings.ts";
import type { DagDraft } from "./draft.ts";

/**
 * Adds a group and what is declared in it.
 *
 * @param open - makes what the declaring function gets, by full id
 * @throws RegistrationError, or what the function throws; nothing has changed then
 */
export function declareGroup(
  draft: DagDraft,
  parentId: string | null,
  id: unknown,
  given: unknown,
  declare: unknown,
  open: (groupId: string) => unknown,
): void {
  const prefix = parentId === null ? "" : `${parentId}.`;
  const call = `dag(${JSON.stringify(draft.facts.dagId)}).group`;
  draft.checkOpen(`${call}(…)`);
  const groupId = checkGroupId(`${call}(…)`, prefix, id);
  const where = `${call}(${JSON.stringify(groupId)}, …)`;
  draft.checkFree(groupId, where);
  if (typeof declare !== "function") {
    const message = `${where} got ${kindOf(declare)}, expected a function that declares its tasks: (g) => g.task(…)`;
    throw new RegistrationError("bad-handler", message);
  }
  const names = ["after", "before", "displayName", "tooltip", "taskDefaults"];
  const options = checkOptions(where, given, names);
  const place = { draft, prefix, own: groupId };
  const { displayName = null, tooltip = "" } = options;
  if (displayName !== null && typeof displayName !== "string") {
    refuse(where, "displayName", displayName, "text");
  }
  if (typeof tooltip !== "string") refuse(where, "tooltip", tooltip, "text");
  const around =
    parentId === null ? draft.facts.taskDefaults : draft.groups.get(parentId)?.taskDefaults;
  const before = { tasks: [...draft.tasks], groups: [...draft.groups] };
  draft.groups.set(groupId, {
    groupId,
    label: id as string,
    parentId,
    displayName,
    tooltip,
    after: readNodes(where, "after", options["after"], place),
    before: readNodes(where, "before", options["before"], place),
    taskDefaults: { ...around, ...readDefaults(where, options["taskDefaults"]) },
  });
  try {
    const returned: unknown = declare(open(groupId));
    if (returned instanceof Promise) {
      returned.catch(() => {});
      refuse(
        where,
        "what declares its tasks",
        declare,
        "a function that is through when it returns",
      );
    }
    if (draft.tasks.size === before.tasks.length) {
      const message = `${where}: no task was declared in the group, expected (g) => g.task(…)`;
      throw new RegistrationError("bad-option", message);
    }
  } catch (error) {
    restore(draft.tasks, before.tasks);
    restore(draft.groups, before.groups);
    throw error;
  }
}

function restore<Value>(map: Map<string, Value>, entries: readonly [string, Value][]): void {
  map.clear();
  for (const [id, value] of entries) map.set(id, value);
}
