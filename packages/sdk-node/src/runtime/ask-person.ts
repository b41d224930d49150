import { validate } from "@parlance/protocol/validators/2026-06-16/CreateHITLDetailPayload.js";
import type { Requester } from "../client/requester.ts";
import type { AwaitInputFacts } from "../outcomes/task-outcome.ts";

/** Stores the question; a task that asks again, on another try, replaces it. */
export async function askPerson(
  facts: AwaitInputFacts,
  taskInstanceId: string,
  requester: Requester,
): Promise<void> {
  const { subject, body, options, defaults, multiple, params, assignees } = facts;
  const request = {
    type: "CreateHITLDetailPayload",
    ti_id: taskInstanceId,
    subject,
    body,
    options,
    defaults,
    multiple,
    // Every part of a field is there, as Python's own are; a list that is empty is no null here.
    params: Object.fromEntries(
      Object.entries(params).map(([name, field]) => {
        const { value = null, description = null, schema = {} } = field;
        return [name, { value, description, schema, source: "task" }];
      }),
    ),
    assigned_users: assignees.map(({ id, name }) => ({ id, name })),
  };
  await requester.ask(request, validate, "HITLDetailRequestResult");
}
