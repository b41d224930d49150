import { validate } from "@parlance/protocol/validators/2026-06-16/SkipDownstreamTasks.js";
import type { Requester } from "../client/requester.ts";
import type { MappedTask } from "../outcomes/skip.ts";

/** Has Airflow skip tasks of this run. An empty list is not sent. */
export async function sendSkipDownstream(
  requester: Requester,
  tasks: readonly (string | MappedTask)[],
): Promise<void> {
  if (tasks.length === 0) return;
  const list = tasks.map((task) =>
    typeof task === "string" ? task : [task.taskId, task.mapIndex],
  );
  await requester.send({ type: "SkipDownstreamTasks", tasks: list }, validate);
}
