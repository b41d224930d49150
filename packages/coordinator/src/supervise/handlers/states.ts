import type { Body } from "../answers.ts";
import { type Answer, answer, apiError, notFound, OK } from "../answers.ts";
import type { Attempt, Handler, HandlerTable } from "../attempt.ts";
import { epochMsOf, textOf } from "../read-body.ts";

type ScopeOf = (body: Body, attempt: Attempt) => string | Answer;

interface Family {
  readonly scopeOf: ScopeOf;
  readonly result: "TaskStateStoreResult" | "AssetStateStoreResult";
  readonly notFound: "TASK_STORE_NOT_FOUND" | "ASSET_STORE_NOT_FOUND";
}

/** Values of a task instance, which its next tries see as well, or of an asset. */
export const STATE_HANDLERS: HandlerTable = {
  ...handlersOf("TaskStateStore", "", {
    scopeOf: taskScope,
    result: "TaskStateStoreResult",
    notFound: "TASK_STORE_NOT_FOUND",
  }),
  ...handlersOf("AssetStateStore", "ByName", {
    scopeOf: (body) => JSON.stringify(["asset-name", textOf(body["name"])]),
    result: "AssetStateStoreResult",
    notFound: "ASSET_STORE_NOT_FOUND",
  }),
  ...handlersOf("AssetStateStore", "ByUri", {
    scopeOf: (body) => JSON.stringify(["asset-uri", textOf(body["uri"])]),
    result: "AssetStateStoreResult",
    notFound: "ASSET_STORE_NOT_FOUND",
  }),
};

function handlersOf(subject: string, suffix: string, family: Family): HandlerTable {
  return {
    [`Get${subject}${suffix}`]: inScope(family, async (scope, body, { store }) => {
      const key = textOf(body["key"]);
      const found = await store.states.get(scope, key);
      return found === undefined
        ? notFound(family.notFound, { key })
        : answer(family.result, { value: found.value });
    }),
    [`Set${subject}${suffix}`]: inScope(family, async (scope, body, { store }) => {
      const expiresAt = epochMsOf(body["expires_at"]);
      const whole = expiresAt === null ? null : Math.floor(expiresAt);
      await store.states.set(scope, textOf(body["key"]), body["value"], whole);
      return OK;
    }),
    [`Delete${subject}${suffix}`]: inScope(family, async (scope, body, { store }) => {
      await store.states.delete(scope, textOf(body["key"]));
      return OK;
    }),
    [`Clear${subject}${suffix}`]: inScope(family, async (scope, _body, { store }) => {
      await store.states.clear(scope);
      return OK;
    }),
  };
}

function inScope(
  family: Family,
  handle: (scope: string, body: Body, attempt: Attempt) => Promise<Answer>,
): Handler {
  return (body, attempt) => {
    const scope = family.scopeOf(body, attempt);
    return typeof scope === "string" ? handle(scope, body, attempt) : scope;
  };
}

/** A task may reach its own values only; they are kept by its ids, which every try has in common. */
function taskScope(body: Body, attempt: Attempt): string | Answer {
  const asked = textOf(body["ti_id"]);
  if (asked !== attempt.taskInstanceId) {
    return apiError(
      403,
      `${String(body["type"])}: ti_id ${asked} is another task instance; this one is ${attempt.taskInstanceId}`,
    );
  }
  const { dagId, runId, taskId, mapIndex } = attempt.taskInstance;
  return JSON.stringify(["task", dagId, runId, taskId, mapIndex]);
}
