import type { StoredHitlDetail } from "../../store/hitl-store.ts";
import { answer, apiError, type Body, notOwn } from "../answers.ts";
import type { HandlerTable } from "../attempt.ts";
import { mapOf, optionalText, textOf, textsOf } from "../read-body.ts";

/** Questions to people. What they answer goes into the store, by `store.hitl.respond`. */
export const HITL_HANDLERS: HandlerTable = {
  /** The request of an earlier attempt of the same try stays on 3.3; on 3.4 the new one counts. */
  async CreateHITLDetailPayload(body, attempt) {
    const { store, taskInstance, taskInstanceId, schemaVersion, strictAirflow, now } = attempt;
    if (body["ti_id"] !== taskInstanceId)
      return notOwn(body["type"], body["ti_id"], taskInstanceId);
    // The schema lets both be left out. Stock then sends null to a server that takes none.
    if (strictAirflow && (body["params"] == null || body["assigned_users"] == null)) {
      return apiError(422, "Remote server returned validation error");
    }
    const detail = await store.hitl.request(
      {
        tiId: taskInstanceId,
        taskInstance,
        options: textsOf(body["options"]) ?? [],
        subject: textOf(body["subject"]),
        body: optionalText(body["body"]),
        defaults: textsOf(body["defaults"]) ?? null,
        multiple: body["multiple"] === true,
        params: mapOf(body["params"]) ?? {},
        assignedUsers: usersOf(body["assigned_users"]),
        createdAt: now().toISOString(),
      },
      { refresh: schemaVersion === "2026-10-30" },
    );
    return answer("HITLDetailRequestResult", detailBody(detail));
  },

  // Members of the schema that neither 3.3.2 nor 3.4.0b2 serves to a task, which has no message for
  // an answer either. The words are stock's.
  GetHITLDetailResponse: () => apiError(400, "Unhandled request"),
  UpdateHITLDetail: () => apiError(400, "Unhandled request"),
};

function usersOf(value: unknown): StoredHitlDetail["assignedUsers"] {
  const users: unknown[] = Array.isArray(value) ? value : [];
  return users.map((user) => ({
    id: textOf(mapOf(user)?.["id"]),
    name: textOf(mapOf(user)?.["name"]),
  }));
}

/** What is at its default is left out, as on stock. */
function detailBody(detail: StoredHitlDetail): Body {
  return {
    ti_id: detail.tiId,
    options: detail.options,
    subject: detail.subject,
    ...(detail.body !== null && { body: detail.body }),
    ...(detail.defaults !== null && { defaults: detail.defaults }),
    ...(detail.multiple && { multiple: true }),
    params: detail.params,
    assigned_users: detail.assignedUsers,
  };
}
