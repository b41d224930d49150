import type { InstanceKey } from "../memory-state.ts";
import {
  type Answer,
  type Answerers,
  type Asking,
  answer,
  apiError,
  type Body,
  notFound,
  OK,
  text,
} from "./answer.ts";

/** The task state store, and the asset state store by name and by URI. */
export const STATE_ANSWERERS: Answerers = {
  ...family("TaskStateStore", "", "TASK_STORE_NOT_FOUND", taskScope),
  ...family("AssetStateStore", "ByName", "ASSET_STORE_NOT_FOUND", assetScope),
  ...family("AssetStateStore", "ByUri", "ASSET_STORE_NOT_FOUND", assetScope),
};

type ScopeOf = (body: Body, asking: Asking) => string | Answer;

function family(store: string, suffix: string, missing: string, scopeOf: ScopeOf): Answerers {
  const inScope = (
    answerer: (values: Map<string, unknown>, body: Body) => Answer,
  ): Answerers[string] => {
    return (body, asking) => {
      const scope = scopeOf(body, asking);
      if (typeof scope !== "string") return scope;
      const values = asking.state.states.get(scope) ?? new Map<string, unknown>();
      asking.state.states.set(scope, values);
      return answerer(values, body);
    };
  };
  return {
    [`Get${store}${suffix}`]: inScope((values, body) => {
      const key = text(body["key"]);
      if (!values.has(key)) return notFound(missing, { key });
      return answer(`${store}Result`, { value: values.get(key) });
    }),
    [`Set${store}${suffix}`]: inScope((values, body) => {
      if (body["value"] === null) return apiError(422, "value cannot be null");
      values.set(text(body["key"]), body["value"]);
      return OK;
    }),
    [`Delete${store}${suffix}`]: inScope((values, body) => {
      values.delete(text(body["key"]));
      return OK;
    }),
    [`Clear${store}${suffix}`]: inScope((values) => {
      values.clear();
      return OK;
    }),
  };
}

function taskScope(body: Body, { instance, instanceId }: Asking): string | Answer {
  if (body["ti_id"] !== instanceId) return apiError(403, "ti_id is another task instance");
  return taskScopeOf(instance);
}

/** Where the values of a task instance are kept. */
export function taskScopeOf({ dagId, runId, taskId, mapIndex }: InstanceKey): string {
  return JSON.stringify(["task", dagId, runId, taskId, mapIndex]);
}

/** As on Airflow, there is nothing to write to before a Dag has named the asset. */
function assetScope(body: Body, { state }: Asking): string | Answer {
  const { name, uri } = body;
  const asset = state.assets.find((known) =>
    typeof name === "string" ? known.name === name : known.uri === uri,
  );
  if (asset !== undefined) return assetScopeOf(asset.name);
  if (text(body["type"]).startsWith("Get")) return assetScopeOf(JSON.stringify([name, uri]));
  return apiError(404, `Asset with ${typeof name === "string" ? "name" : "uri"} not found`);
}

/** Where the values of an asset are kept. */
export function assetScopeOf(name: string): string {
  return JSON.stringify(["asset", name]);
}
