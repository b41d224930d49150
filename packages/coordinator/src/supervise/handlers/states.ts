import type { Body } from "../answers.ts";
import {
  type Answer,
  answer,
  apiInvalid,
  apiNotFound,
  apiTooShort,
  NO_ASSET_NAMED,
  notFound,
  notOwn,
  OK,
} from "../answers.ts";
import type { Attempt, Handler, HandlerTable } from "../attempt.ts";
import { epochMsOf, optionalText, textOf } from "../read-body.ts";

/** The scopes to look for a value in, the first being the one to write to. */
type Scopes = readonly [string, ...string[]];

type ScopeOf = (body: Body, attempt: Attempt) => Promise<Scopes | Answer>;

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
    scopeOf: assetScopes,
    result: "AssetStateStoreResult",
    notFound: "ASSET_STORE_NOT_FOUND",
  }),
  ...handlersOf("AssetStateStore", "ByUri", {
    scopeOf: assetScopes,
    result: "AssetStateStoreResult",
    notFound: "ASSET_STORE_NOT_FOUND",
  }),
};

function handlersOf(subject: string, suffix: string, family: Family): HandlerTable {
  return {
    [`Get${subject}${suffix}`]: inScopes(family, async (scopes, body, { store }) => {
      const key = textOf(body["key"]);
      for (const scope of scopes) {
        const found = await store.states.get(scope, key);
        if (found !== undefined) return answer(family.result, { value: found.value });
      }
      return notFound(family.notFound, { key });
    }),
    [`Set${subject}${suffix}`]: inScopes(family, async ([scope], body, { store }) => {
      if (body["value"] === null) return NO_NULL;
      const expiresAt = epochMsOf(body["expires_at"]);
      const whole = expiresAt === null ? null : Math.floor(expiresAt);
      await store.states.set(scope, textOf(body["key"]), body["value"], whole);
      return OK;
    }),
    [`Delete${subject}${suffix}`]: inScopes(family, async (scopes, body, { store }) => {
      for (const scope of scopes) await store.states.delete(scope, textOf(body["key"]));
      return OK;
    }),
    [`Clear${subject}${suffix}`]: inScopes(family, async (scopes, _body, { store }) => {
      for (const scope of scopes) await store.states.clear(scope);
      return OK;
    }),
  };
}

/** Airflow's server keeps no null, for that is how it says that there is nothing. */
const NO_NULL = apiInvalid({
  type: "value_error",
  loc: ["body", "value"],
  msg: "Value error, value cannot be null",
  input: null,
  ctx: { error: {} },
});

function inScopes(
  family: Family,
  handle: (scopes: Scopes, body: Body, attempt: Attempt) => Promise<Answer>,
): Handler {
  return async (body, attempt) => {
    if (body["name"] === "" || body["uri"] === "") return NO_ASSET_NAMED;
    if (body["key"] === "")
      return apiTooShort(body["ti_id"] === undefined ? "query" : "path", "key");
    const scopes = await family.scopeOf(body, attempt);
    return "length" in scopes ? await handle(scopes, body, attempt) : scopes;
  };
}

/**
 * An asset's values are kept under its name, whichever way it is asked for. One that the store does
 * not know can be asked for by what its values were written by only; when it is known later, they
 * are still found. On stock there is nothing to write to before it is known.
 */
async function assetScopes(
  body: Body,
  { store, strictAirflow }: Attempt,
): Promise<Scopes | Answer> {
  const name = optionalText(body["name"]);
  const uri = optionalText(body["uri"]) ?? "";
  const known = await store.assets.find(name === null ? { uri } : { name });
  if (known !== undefined) return [scopeOfName(known.name), scopeOfUri(known.uri)];
  if (strictAirflow && !textOf(body["type"]).startsWith("Get")) {
    const asked = name === null ? `uri='${uri}'` : `name='${name}'`;
    return apiNotFound(`Asset with ${asked} not found`);
  }
  return [name === null ? scopeOfUri(uri) : scopeOfName(name)];
}

const scopeOfName = (name: string): string => JSON.stringify(["asset-name", name]);
const scopeOfUri = (uri: string): string => JSON.stringify(["asset-uri", uri]);

/** A task may reach its own values only; they are kept by its ids, which every try has in common. */
async function taskScope(body: Body, attempt: Attempt): Promise<Scopes | Answer> {
  if (body["ti_id"] !== attempt.taskInstanceId) {
    return notOwn(body["type"], body["ti_id"], attempt.taskInstanceId);
  }
  const { dagId, runId, taskId, mapIndex } = attempt.taskInstance;
  return [JSON.stringify(["task", dagId, runId, taskId, mapIndex])];
}
