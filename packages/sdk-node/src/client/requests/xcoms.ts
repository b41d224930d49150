import type { WireMap } from "@parlance/framing";
import { validate as validDeleteXCom } from "@parlance/protocol/validators/2026-06-16/DeleteXCom.js";
import { validate as validSetXCom } from "@parlance/protocol/validators/2026-06-16/SetXCom.js";
import { validate as validGetXCom } from "@parlance/protocol/validators/2026-10-30/GetXCom.js";
import { validate as validGetXComCount } from "@parlance/protocol/validators/2026-10-30/GetXComCount.js";
import { validate as validGetXComItem } from "@parlance/protocol/validators/2026-10-30/GetXComSequenceItem.js";
import { validate as validGetXComSlice } from "@parlance/protocol/validators/2026-10-30/GetXComSequenceSlice.js";
import { InvalidRequestError, NotFoundError } from "../../errors.ts";
import { decodeValue } from "../../values/decode-value.ts";
import { encodeValue } from "../../values/encode-value.ts";
import type {
  DeleteXComOptions,
  GetXComOptions,
  ReadXComOptions,
  SetXComOptions,
  XComAddress,
  XComSeriesOptions,
  XComSliceOptions,
} from "../api/xcoms.ts";
import { badAnswer } from "../requester.ts";
import { demandNewerSchema, type RequestScope } from "./request-scope.ts";

/** Under which key a task's result is kept. */
export const RESULT_KEY = "return_value";

/** XComs over the comm link: each call is one request. */
export class SupervisorXComs {
  readonly #scope: RequestScope;

  constructor(scope: RequestScope) {
    this.#scope = scope;
  }

  async get<Value>(options: GetXComOptions): Promise<Value | null> {
    const request = {
      type: "GetXCom",
      ...this.#reading(options),
      map_index: options.mapIndex ?? null,
      include_prior_dates: options.includePriorDates ?? false,
    };
    try {
      const answer = await this.#scope.requester.ask(request, validGetXCom, "XComResult");
      return this.#read(answer["value"] ?? null, options) as Value | null;
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  }

  async count(options: XComSeriesOptions): Promise<number> {
    const request = { type: "GetXComCount", ...this.#reading(options) };
    const { requester } = this.#scope;
    const count = (await requester.ask(request, validGetXComCount, "XComCountResponse"))["len"];
    if (typeof count !== "number") throw badAnswer("GetXComCount", "no number");
    return count;
  }

  async item<Value>(options: XComSeriesOptions & { readonly index: number }): Promise<Value> {
    const request = {
      type: "GetXComSequenceItem",
      ...this.#reading(options),
      offset: options.index,
    };
    const { requester } = this.#scope;
    const answer = await requester.ask(request, validGetXComItem, "XComSequenceIndexResult");
    return this.#read(answer["root"], options) as Value;
  }

  async slice<Value>(options: XComSliceOptions): Promise<readonly Value[]> {
    const request = {
      type: "GetXComSequenceSlice",
      ...this.#reading(options),
      start: options.start ?? null,
      stop: options.stop ?? null,
      step: options.step ?? null,
      include_prior_dates: options.includePriorDates ?? false,
    };
    const { requester } = this.#scope;
    const answer = await requester.ask(request, validGetXComSlice, "XComSequenceSliceResult");
    const values = answer["root"];
    if (!Array.isArray(values)) throw badAnswer("GetXComSequenceSlice", "no list");
    return this.#read(values, options) as readonly Value[];
  }

  /** @param what - what the value is, for the message of a refusal */
  async set(value: unknown, options: SetXComOptions, what: string): Promise<void> {
    if (typeof options !== "object" || options === null) {
      const got = options === undefined ? "missing" : `a ${typeof options}`;
      const message = `setXCom(value, options): options are ${options === null ? "null" : got}, expected an object such as { key: "rows" }`;
      throw new InvalidRequestError("invalid-request", "", message);
    }
    await this.#send(encodeValue(value, what), options);
  }

  async delete(options: DeleteXComOptions): Promise<void> {
    const request = {
      type: "DeleteXCom",
      ...this.#address(options),
      map_index: this.#ownMapIndex(options),
    };
    await this.#scope.requester.send(request, validDeleteXCom);
  }

  async #send(value: unknown, options: SetXComOptions): Promise<void> {
    const { mappedLength, isDagResult } = options;
    const request = {
      type: "SetXCom",
      ...this.#address(options),
      value,
      map_index: this.#ownMapIndex(options),
      ...(mappedLength === undefined ? {} : { mapped_length: mappedLength }),
      ...(isDagResult === undefined ? {} : { dag_result: isDagResult }),
    };
    await this.#scope.requester.send(request, validSetXCom);
  }

  #read(value: unknown, { key, taskId, raw }: ReadXComOptions): unknown {
    if (raw === true) return value;
    return decodeValue(value, `XCom ${JSON.stringify(key ?? RESULT_KEY)} of ${taskId}`);
  }

  #reading(options: ReadXComOptions): WireMap {
    const address = this.#address(options);
    if (options.previousIteration === undefined) return address;
    demandNewerSchema(this.#scope, "previousIteration");
    return { ...address, previous_iteration: options.previousIteration };
  }

  #address(options: XComAddress & { readonly taskId?: string | undefined }): WireMap {
    if (typeof options !== "object" || options === null) {
      const message = "the XCom's address must be an object such as { taskId, key }";
      throw new InvalidRequestError("invalid-request", "", message);
    }
    const { dagId, taskId, runId } = this.#scope.context;
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
    const { dagId, runId, taskId, mapIndex } = this.#scope.context;
    const isOwn =
      (options.dagId ?? dagId) === dagId &&
      (options.runId ?? runId) === runId &&
      (options.taskId ?? taskId) === taskId;
    return isOwn ? mapIndex : null;
  }
}
