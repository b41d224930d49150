import { answer, apiError, apiNotFound, EMPTY, notFound, OK } from "../answers.ts";
import type { HandlerTable } from "../attempt.ts";
import { numberOf, optionalText, textOf } from "../read-body.ts";

/** Airflow Variables. A value whose key is sensitive is masked from its reading on. */
export const VARIABLE_HANDLERS: HandlerTable = {
  async GetVariable(body, { store, masker }) {
    const key = textOf(body["key"]);
    const variable = await store.variables.get(key);
    if (variable === undefined) return notFound("VARIABLE_NOT_FOUND", { key });
    masker.add(variable.value, key);
    masker.addJson(variable.value, key);
    return answer("VariableResult", { key, value: variable.value });
  },

  async GetVariableKeys(body, { store }) {
    const prefix = optionalText(body["prefix"]) ?? "";
    const offset = numberOf(body["offset"]) ?? 0;
    const limit = numberOf(body["limit"]) ?? 1000;
    if (offset < 0 || limit < 0) {
      return apiError(
        422,
        `GetVariableKeys: offset ${offset} and limit ${limit} can't be negative`,
      );
    }
    const keys = (await store.variables.keys()).filter((key) => key.startsWith(prefix));
    return answer("VariableKeysResult", {
      keys: keys.slice(offset, offset + limit),
      total_entries: keys.length,
    });
  },

  async PutVariable(body, { store, masker }) {
    const key = textOf(body["key"]);
    const value = optionalText(body["value"]);
    masker.add(value, key);
    await store.variables.set({
      key,
      value,
      description: optionalText(body["description"]),
    });
    return EMPTY;
  },

  async DeleteVariable(body, { store }) {
    const key = textOf(body["key"]);
    return (await store.variables.delete(key)) ? OK : apiNotFound(key);
  },
};
