import type { WireMap } from "@parlance/framing";
import { validate as validDeleteVariable } from "@parlance/protocol/validators/2026-06-16/DeleteVariable.js";
import { validate as validDeleteXCom } from "@parlance/protocol/validators/2026-06-16/DeleteXCom.js";
import { validate as validGetConnection } from "@parlance/protocol/validators/2026-06-16/GetConnection.js";
import { validate as validGetVariable } from "@parlance/protocol/validators/2026-06-16/GetVariable.js";
import { validate as validGetVariableKeys } from "@parlance/protocol/validators/2026-06-16/GetVariableKeys.js";
import { validate as validGetXCom } from "@parlance/protocol/validators/2026-06-16/GetXCom.js";
import { validate as validGetXComCount } from "@parlance/protocol/validators/2026-06-16/GetXComCount.js";
import { validate as validGetXComItem } from "@parlance/protocol/validators/2026-06-16/GetXComSequenceItem.js";
import { validate as validGetXComSlice } from "@parlance/protocol/validators/2026-06-16/GetXComSequenceSlice.js";
import { validate as validMaskSecret } from "@parlance/protocol/validators/2026-06-16/MaskSecret.js";
import { validate as validPutVariable } from "@parlance/protocol/validators/2026-06-16/PutVariable.js";
import { validate as validSetXCom } from "@parlance/protocol/validators/2026-06-16/SetXCom.js";
import type { TaskContext } from "../context.ts";
import { InvalidRequestError, NotFoundError, SupervisorError } from "../errors.ts";
import { readConnection } from "./read-connection.ts";
import { badAnswer, type Requester } from "./requester.ts";
import type {
  Connection,
  DeleteXComOptions,
  GetXComOptions,
  ListVariableKeysOptions,
  SetXComOptions,
  TaskClient,
  XComAddress,
  XComSeriesOptions,
  XComSliceOptions,
} from "./task-client.ts";
import { checkXComValue, type XComValue } from "./xcom-value.ts";

/** Under which key a task's result is kept. */
export const RESULT_KEY = "return_value";

/** The {@link TaskClient} of a running task: each call is one request over the comm link. */
export class SupervisorClient implements TaskClient {
  readonly #requester: Requester;
  readonly #context: TaskContext;

  constructor(requester: Requester, context: TaskContext) {
    this.#requester = requester;
    this.#context = context;
  }

  getVariable(key: string): Promise<string | null> {
    return orNull(this.getVariableOrThrow(key));
  }

  async getVariableOrThrow(key: string): Promise<string> {
    const request = { type: "GetVariable", key };
    const answer = await this.#requester.ask(request, validGetVariable, "VariableResult");
    const value = answer["value"];
    if (typeof value === "string") return value;
    if (value === null) throw new NotFoundError("variable-not-found", key, noValue(key));
    throw badAnswer("GetVariable", "a value that is no text");
  }

  async setVariable(
    key: string,
    value: string,
    options: { readonly description?: string | null | undefined } = {},
  ): Promise<void> {
    // Stock demands the description, null too, and does not answer without it.
    const description = options.description ?? null;
    const request = { type: "PutVariable", key, value, description };
    await this.#requester.send(request, validPutVariable);
  }

  async deleteVariable(key: string): Promise<boolean> {
    try {
      await this.#requester.send({ type: "DeleteVariable", key }, validDeleteVariable);
      return true;
    } catch (error) {
      if (error instanceof SupervisorError && error.statusCode === 404) return false;
      if (error instanceof NotFoundError) return false;
      throw error;
    }
  }

  async listVariableKeys(
    options: ListVariableKeysOptions = {},
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

  getConnection(id: string): Promise<Connection | null> {
    return orNull(this.getConnectionOrThrow(id));
  }

  async getConnectionOrThrow(id: string): Promise<Connection> {
    const request = { type: "GetConnection", conn_id: id };
    return readConnection(
      await this.#requester.ask(request, validGetConnection, "ConnectionResult"),
    );
  }

  async getXCom<Value = XComValue>(options: GetXComOptions): Promise<Value | null> {
    const request = {
      type: "GetXCom",
      ...this.#address(options),
      map_index: options.mapIndex ?? null,
      include_prior_dates: options.includePriorDates ?? false,
    };
    try {
      const answer = await this.#requester.ask(request, validGetXCom, "XComResult");
      return (answer["value"] ?? null) as Value | null;
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  }

  async getXComOrThrow<Value = XComValue>(options: GetXComOptions): Promise<Value> {
    const value = await this.getXCom<Value>(options);
    if (value !== null) return value;
    const { key = RESULT_KEY, taskId } = options;
    const message =
      `getXComOrThrow found no XCom ${JSON.stringify(key)} of task ${JSON.stringify(taskId)}, or one that is null. ` +
      "Does that task run before this one, and does it return a value?";
    throw new NotFoundError("xcom-not-found", key, message);
  }

  async countXComs(options: XComSeriesOptions): Promise<number> {
    const request = { type: "GetXComCount", ...this.#address(options) };
    const answer = await this.#requester.ask(request, validGetXComCount, "XComCountResponse");
    const count = answer["len"];
    if (typeof count !== "number") throw badAnswer("GetXComCount", "no number");
    return count;
  }

  async getXComItem<Value = XComValue>(
    options: XComSeriesOptions & { readonly index: number },
  ): Promise<Value> {
    const request = {
      type: "GetXComSequenceItem",
      ...this.#address(options),
      offset: options.index,
    };
    return (await this.#requester.ask(request, validGetXComItem, "XComSequenceIndexResult"))[
      "root"
    ] as Value;
  }

  async getXComSlice<Value = XComValue>(options: XComSliceOptions): Promise<readonly Value[]> {
    const request = {
      type: "GetXComSequenceSlice",
      ...this.#address(options),
      start: options.start ?? null,
      stop: options.stop ?? null,
      step: options.step ?? null,
      include_prior_dates: options.includePriorDates ?? false,
    };
    const answer = await this.#requester.ask(request, validGetXComSlice, "XComSequenceSliceResult");
    const values = answer["root"];
    if (!Array.isArray(values)) throw badAnswer("GetXComSequenceSlice", "no list");
    return values as readonly Value[];
  }

  async setXCom(value: unknown, options: SetXComOptions): Promise<void> {
    checkXComValue(value, "setXCom");
    await this.#sendXCom(value, options);
  }

  /** Pushes what the handler returned. */
  async setResult(value: unknown): Promise<void> {
    checkXComValue(value, "The task's result");
    await this.#sendXCom(value, { key: RESULT_KEY });
  }

  async #sendXCom(value: XComValue, options: SetXComOptions): Promise<void> {
    const { mappedLength } = options;
    const request = {
      type: "SetXCom",
      ...this.#address(options),
      value,
      map_index: this.#ownMapIndex(options),
      ...(mappedLength === undefined ? {} : { mapped_length: mappedLength }),
    };
    await this.#requester.send(request, validSetXCom);
  }

  async deleteXCom(options: DeleteXComOptions): Promise<void> {
    const request = {
      type: "DeleteXCom",
      ...this.#address(options),
      map_index: this.#ownMapIndex(options),
    };
    await this.#requester.send(request, validDeleteXCom);
  }

  async maskSecret(
    value: unknown,
    options: { readonly name?: string | null | undefined } = {},
  ): Promise<void> {
    checkXComValue(value, "maskSecret");
    const request = { type: "MaskSecret", value, name: options.name ?? null };
    await this.#requester.send(request, validMaskSecret);
  }

  #address(options: XComAddress & { readonly taskId?: string | undefined }): WireMap {
    if (typeof options !== "object" || options === null) {
      const message = "the XCom's address must be an object such as { taskId, key }";
      throw new InvalidRequestError("invalid-request", "", message);
    }
    const { dagId, taskId, runId } = this.#context;
    return {
      key: options.key ?? RESULT_KEY,
      dag_id: options.dagId ?? dagId,
      run_id: options.runId ?? runId,
      task_id: options.taskId ?? taskId,
    };
  }

  /** A mapped instance writes its own XComs under its index; another task's index is not ours. */
  #ownMapIndex(options: SetXComOptions | DeleteXComOptions): number | null {
    if (options.mapIndex !== undefined) return options.mapIndex;
    const { dagId, runId, taskId, mapIndex } = this.#context;
    const isOwn =
      (options.dagId ?? dagId) === dagId &&
      (options.runId ?? runId) === runId &&
      (options.taskId ?? taskId) === taskId;
    return isOwn ? mapIndex : null;
  }
}

async function orNull<Value>(call: Promise<Value>): Promise<Value | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

function noValue(key: string): string {
  return `GetVariable: the Variable ${JSON.stringify(key)} has no value`;
}
