import type { WireMap } from "@parlance/framing";
import { validate as validClearByName } from "@parlance/protocol/validators/2026-06-16/ClearAssetStateStoreByName.js";
import { validate as validClearByUri } from "@parlance/protocol/validators/2026-06-16/ClearAssetStateStoreByUri.js";
import { validate as validClear } from "@parlance/protocol/validators/2026-06-16/ClearTaskStateStore.js";
import { validate as validDeleteByName } from "@parlance/protocol/validators/2026-06-16/DeleteAssetStateStoreByName.js";
import { validate as validDeleteByUri } from "@parlance/protocol/validators/2026-06-16/DeleteAssetStateStoreByUri.js";
import { validate as validDelete } from "@parlance/protocol/validators/2026-06-16/DeleteTaskStateStore.js";
import { validate as validGetByName } from "@parlance/protocol/validators/2026-06-16/GetAssetStateStoreByName.js";
import { validate as validGetByUri } from "@parlance/protocol/validators/2026-06-16/GetAssetStateStoreByUri.js";
import { validate as validGet } from "@parlance/protocol/validators/2026-06-16/GetTaskStateStore.js";
import { validate as validSetByName } from "@parlance/protocol/validators/2026-06-16/SetAssetStateStoreByName.js";
import { validate as validSetByUri } from "@parlance/protocol/validators/2026-06-16/SetAssetStateStoreByUri.js";
import { validate as validSet } from "@parlance/protocol/validators/2026-06-16/SetTaskStateStore.js";
import { InvalidRequestError } from "../../errors.ts";
import { checkJsonValue } from "../../values/encode-value.ts";
import type { AssetRef } from "../api/assets.ts";
import type { AssetStateStore, KeepOptions, TaskStateStore } from "../api/state-stores.ts";
import type { Requester, Validate } from "../requester.ts";
import type { JsonValue } from "../xcom-value.ts";
import { expiryDate } from "./expiry-date.ts";
import { nullWhenMissing } from "./missing.ts";
import type { RequestScope } from "./request-scope.ts";

/** The four messages of one kind of store. */
interface Messages {
  /** Types of the messages end in this. */
  readonly suffix: string;
  readonly answer: "TaskStateStoreResult" | "AssetStateStoreResult";
  readonly get: Validate;
  readonly set: Validate;
  readonly delete: Validate;
  readonly clear: Validate;
}

/** A store over the comm link, of this task instance or of an asset. */
class SupervisorStateStore implements TaskStateStore, AssetStateStore {
  readonly #requester: Requester;
  readonly #messages: Messages;
  readonly #owner: WireMap;

  constructor(requester: Requester, messages: Messages, owner: WireMap) {
    this.#requester = requester;
    this.#messages = messages;
    this.#owner = owner;
  }

  async get<Value = JsonValue>(key: string): Promise<Value | null> {
    const { suffix, answer, get } = this.#messages;
    const request = { type: `Get${suffix}`, ...this.#owner, key };
    const found = await nullWhenMissing(this.#requester.ask(request, get, answer));
    return (found?.["value"] ?? null) as Value | null;
  }

  async set(key: string, value: unknown, options: KeepOptions = {}): Promise<void> {
    const { suffix, answer, set } = this.#messages;
    if (value === null || value === undefined) {
      const message = "a state store holds no null: delete the key instead";
      throw new InvalidRequestError("invalid-value", "", message);
    }
    checkJsonValue(value, `The state ${JSON.stringify(key)}`);
    const expires_at = answer === "TaskStateStoreResult" ? expiryDate(options) : undefined;
    const request = { type: `Set${suffix}`, ...this.#owner, key, value };
    // Stock does not answer without the date, which null may be.
    await this.#requester.send(
      expires_at === undefined ? request : { ...request, expires_at },
      set,
    );
  }

  async delete(key: string): Promise<void> {
    const { suffix, delete: validate } = this.#messages;
    await this.#requester.send({ type: `Delete${suffix}`, ...this.#owner, key }, validate);
  }

  async clear(): Promise<void> {
    const { suffix, clear } = this.#messages;
    await this.#requester.send({ type: `Clear${suffix}`, ...this.#owner }, clear);
  }
}

/** The store of the task instance that asks. */
export function taskStateStore({ requester, context }: RequestScope): TaskStateStore {
  const messages: Messages = {
    ...{ suffix: "TaskStateStore", answer: "TaskStateStoreResult" },
    ...{ get: validGet, set: validSet, delete: validDelete, clear: validClear },
  };
  return new SupervisorStateStore(requester, messages, { ti_id: context.taskInstanceId });
}

/** The store of an asset; by its name when there are both. */
export function assetStateStore({ requester }: RequestScope, asset: AssetRef): AssetStateStore {
  if (asset.name !== undefined) {
    const messages: Messages = {
      ...{ suffix: "AssetStateStoreByName", answer: "AssetStateStoreResult" },
      ...{ get: validGetByName, set: validSetByName },
      ...{ delete: validDeleteByName, clear: validClearByName },
    };
    return new SupervisorStateStore(requester, messages, { name: asset.name });
  }
  const messages: Messages = {
    ...{ suffix: "AssetStateStoreByUri", answer: "AssetStateStoreResult" },
    ...{ get: validGetByUri, set: validSetByUri },
    ...{ delete: validDeleteByUri, clear: validClearByUri },
  };
  return new SupervisorStateStore(requester, messages, { uri: asset.uri });
}
