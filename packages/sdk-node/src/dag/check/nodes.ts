import { RegistrationError } from "../../errors.ts";
import type { DagDraft } from "../build/draft.ts";
import type { ChildModel } from "../dag-model.ts";
import { refuse } from "./refuse.ts";

/**
 * Resolves names of tasks and groups that are declared already.
 *
 * @param own - what declares them; it can come neither before nor after itself
 * @throws RegistrationError `bad-option` or `unknown-task`
 */
export function readNodes(
  where: string,
  option: "after" | "before",
  given: unknown,
  { draft, prefix, own }: { draft: DagDraft; prefix: string; own: string },
): readonly ChildModel[] {
  if (given === undefined) return [];
  const names: readonly unknown[] = Array.isArray(given) ? given : [given];
  return names.map((name) => {
    if (typeof name !== "string") {
      refuse(where, `${option} (or a part of it)`, name, "the id of a task or group, or several");
    }
    const node = findNode(where, `${option} names`, name, draft, prefix);
    if (own.startsWith(`${node.id}.`)) {
      const message = `${where}: ${option} names ${quote(node.id)}, the group that it is in itself`;
      throw new RegistrationError("bad-option", message);
    }
    return node;
  });
}

/** @throws RegistrationError `unknown-task` */
export function findNode(
  where: string,
  what: string,
  name: string,
  draft: DagDraft,
  prefix: string,
): ChildModel {
  const node = draft.find(name, prefix);
  if (node !== undefined) return node;
  const message = `${where}: ${what} ${quote(name)}, expected a task or group that is declared before; ${draft.names}`;
  throw new RegistrationError("unknown-task", message);
}

function quote(text: string): string {
  return JSON.stringify(text);
}
