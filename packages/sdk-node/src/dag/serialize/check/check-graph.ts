import { findCycle } from "../../build/cycle.ts";
import { below, isRecord, type JsonRecord, type Tell } from "./problems.ts";

/** What of a Dag must agree: ids are there once, what is named is there, nothing waits for itself. */
export function checkGraph(dag: JsonRecord, path: string, tell: Tell): void {
  const downstream = new Map<string, readonly string[]>();
  for (const [index, entry] of (dag["tasks"] as readonly JsonRecord[]).entries()) {
    const task = entry["__var"] as JsonRecord;
    const id = task["task_id"] as string;
    const at = below(below(path, "tasks"), index);
    if (downstream.has(id)) tell(at, `has the id ${JSON.stringify(id)}, as a task before it`);
    downstream.set(id, (task["downstream_task_ids"] as readonly string[] | undefined | null) ?? []);
  }
  for (const [id, after] of downstream) {
    for (const other of after.filter((each) => !downstream.has(each))) {
      tell(
        path,
        `has ${JSON.stringify(other)} after ${JSON.stringify(id)}, which is no task of it`,
      );
    }
  }
  checkChildren(dag["task_group"], downstream, below(path, "task_group"), tell);
  const arrows = Array.from(downstream, ([id, after]) => [id, new Set(after)] as const);
  const cycle = findCycle(new Map(arrows))?.toReversed(); // it takes what is upstream
  if (cycle !== undefined) tell(path, `has tasks that wait for each other: ${cycle.join(" → ")}`);
}

function checkChildren(
  group: unknown,
  tasks: ReadonlyMap<string, unknown>,
  path: string,
  tell: Tell,
): void {
  if (!isRecord(group)) return;
  for (const [label, child] of Object.entries(group["children"] as JsonRecord)) {
    const [kind, content] = child as readonly [string, unknown];
    const at = below(below(path, "children"), label);
    if (kind !== "operator") checkChildren(content, tasks, at, tell);
    else if (!tasks.has(content as string)) tell(at, "names a task that the Dag does not have");
  }
}
