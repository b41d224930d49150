import { RegistrationError } from "../../errors.ts";
import type { ChildModel } from "../dag-model.ts";
import type { DagDraft } from "./draft.ts";

/**
 * What the branches of a Dag choose from, by task id, as full ids.
 *
 * @throws RegistrationError `unknown-task` or `bad-option`
 */
export function resolveChoices(draft: DagDraft): ReadonlyMap<string, readonly ChildModel[]> {
  const resolved = new Map<string, readonly ChildModel[]>();
  for (const { taskId, groupId, choices } of draft.tasks.values()) {
    if (choices === null) continue;
    const prefix = groupId === null ? "" : `${groupId}.`;
    const where = `dag(${JSON.stringify(draft.facts.dagId)}).branch(${JSON.stringify(taskId)}, …)`;
    const nodes = choices.map((choice) => {
      const node = draft.find(choice, prefix);
      if (node === undefined) {
        const message = `${where}: choices has ${JSON.stringify(choice)}, which was never declared; ${draft.names}`;
        throw new RegistrationError("unknown-task", message);
      }
      if (node.id === taskId || taskId.startsWith(`${node.id}.`)) {
        const message = `${where}: choices has ${JSON.stringify(choice)}, which is the branch itself or a group around it`;
        throw new RegistrationError("bad-option", message);
      }
      return node;
    });
    resolved.set(taskId, nodes);
  }
  return resolved;
}
