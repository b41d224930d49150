import { validate as validDeleteVariable } from "@parlance/protocol/validators/2026-06-16/DeleteVariable.js";
import { validate as validGetVariable } from "@parlance/protocol/validators/2026-06-16/GetVariable.js";
import { validate as validGetVariableKeys } from "@parlance/protocol/validators/2026-06-16/GetVariableKeys.js";
import { validate as validPutVariable } from "@parlance/protocol/validators/2026-06-16/PutVariable.js";
import { NotFoundError } from "../../errors.ts";
import { badAnswer, type Requester } from "../requester.ts";
import type { ListVariableKeysOptions } from "../task-client.ts";
import { isMissing } from "./missing.ts";

/** Variables over the comm link: each call is one request. */
export class SupervisorVariables {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** @throws NotFoundError `variable-not-found` */
  async get(key: string): Promise<string> {
    const request = { type: "GetVariable", key };
    const answer = await this.#requester.ask(request, validGetVariable, "VariableResult");
    const value = answer["value"];
    if (typeof value === "string") return value;
    if (value === null) throw new NotFoundError("variable-not-found", key, noValue(key));
    throw badAnswer("GetVariable", "a value that is no text");
  }

  async set(key: string, value: string, description: string | null): Promise<void> {
    // Stock demands the description, null too, and does not answer without it.
    const request = { type: "PutVariable", key, value, description };
    await this.#requester.send(request, validPutVariable);
  }

  async delete(key: string): Promise<boolean> {
    try {
      await this.#requester.send({ type: "DeleteVariable", key }, validDeleteVariable);
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  async listKeys(
    options: ListVariableKeysOptions,
  ): Promise<{ readonly keys: readonly string[]; readonly total: number }> {
    const { prefix = null, limit = 1000, offset = 0 } = options;
    const request = { type: "GetVariableKeys", prefix, limit, offset };
    const answer = await this.#requester.ask(request, validGetVariableKeys, "VariableKeysResult");
    const { keys, total_entries: total } = answer;
    if (!Array.isArray(keys) || typeof total !== "number") {
      throw badAnswer("GetVariableKeys", "no list of keys with its length");
    }
    return { keys: keys.map(String), total };
  }
}

function noValue(key: string): string {
  return `GetVariable: the Variable ${JSON.stringify(key)} has no value`;
}
