import {
  type Answer,
  answer,
  apiInvalid,
  apiNotFound,
  apiTooShort,
  EMPTY,
  notFound,
  OK,
} from "../answers.ts";
import type { Handler, HandlerTable } from "../attempt.ts";
import { numberOf, optionalText, textOf } from "../read-body.ts";

/** Airflow Variables. A value whose key is sensitive is masked from its reading on. */
export const VARIABLE_HANDLERS: HandlerTable = {
  GetVariable: withKey(async (body, { store, masker }) => {
    const key = textOf(body["key"]);
    const variable = await store.variables.get(key);
    if (variable === undefined) return notFound("VARIABLE_NOT_FOUND", { key });
    masker.add(variable.value, key);
    masker.addJson(variable.value, key);
    return answer("VariableResult", { key, value: variable.value });
  }),

  async GetVariableKeys(body, { store }) {
    const prefix = optionalText(body["prefix"]) ?? "";
    const offset = numberOf(body["offset"]) ?? 0;
    const limit = numberOf(body["limit"]) ?? 1000;
    if (limit < 1) return tooSmall("limit", limit, 1);
    if (offset < 0) return tooSmall("offset", offset, 0);
    const keys = (await store.variables.keys()).filter((key) => key.startsWith(prefix));
    return answer("VariableKeysResult", {
      keys: keys.slice(offset, offset + limit),
      total_entries: keys.length,
    });
  },

  PutVariable: withKey(async (body, { store, masker }) => {
    const key = textOf(body["key"]);
    const value = optionalText(body["value"]);
    masker.add(value, key);
    await store.variables.set({
      key,
      value,
      description: optionalText(body["description"]),
    });
    return EMPTY;
  }),

  DeleteVariable: withKey(async (body, { store }) => {
    const key = textOf(body["key"]);
    return (await store.variables.delete(key)) ? OK : apiNotFound(key);
  }),
};

function withKey(handler: Handler): Handler {
  return (body, attempt) =>
    body["key"] === "" ? apiTooShort("path", "variable_key") : handler(body, attempt);
}

/** As Airflow's server says it. */
function tooSmall(name: string, value: number, least: number): Answer {
  return apiInvalid({
    type: "greater_than_equal",
    loc: ["query", name],
    msg: `Input should be greater than or equal to ${least}`,
    input: String(value),
    ctx: { ge: least },
  });
}
