import { validate as validMaskSecret } from "@parlance/protocol/validators/2026-06-16/MaskSecret.js";
import type { StartupDetails, TaskContext } from "../context.ts";
import { NotFoundError } from "../errors.ts";
import {
  type EnvironmentLookupOptions,
  EnvironmentLookups,
} from "../lookups/environment-lookups.ts";
import { checkJsonValue } from "../values/encode-value.ts";
import type { AssetRef, Assets } from "./api/assets.ts";
import type { Connection } from "./api/connection.ts";
import type { DagRuns } from "./api/dag-runs.ts";
import type { JsonMap } from "./api/json.ts";
import type { AssetStateStore, TaskStateStore } from "./api/state-stores.ts";
import type { TaskInstances } from "./api/task-instances.ts";
import type {
  DeleteXComOptions,
  GetXComOptions,
  SetXComOptions,
  XComSequence,
  XComSequenceOptions,
  XComSeriesOptions,
  XComSliceOptions,
} from "./api/xcoms.ts";
import { lazily } from "./lazily.ts";
import type { Requester } from "./requester.ts";
import { checkAssetRef, OutletEvents } from "./requests/outlet-events.ts";
import type { RequestScope } from "./requests/request-scope.ts";
import { SupervisorVariables } from "./requests/variables.ts";
import { PagedXComSequence } from "./requests/xcom-sequence.ts";
import { RESULT_KEY, SupervisorXComs } from "./requests/xcoms.ts";
import type { ListVariableKeysOptions, TaskClient } from "./task-client.ts";
import type { XComValue } from "./xcom-value.ts";

/** Where a client looks and in which version it asks. */
export interface ClientOptions {
  /** That of the bundle. @default "2026-06-16" */
  readonly schemaVersion?: StartupDetails["schemaVersion"] | undefined;
  /** Where Variables and Connections are looked for before Airflow is asked. @default nowhere */
  readonly environment?: EnvironmentLookupOptions["variables"] | undefined;
  /** Told of what a user should know though nothing failed. */
  readonly warn?: EnvironmentLookupOptions["warn"] | undefined;
}

/**
 * The {@link TaskClient} of a running task: each call is one request over the comm link. What few
 * tasks use is loaded at its first call.
 */
export class SupervisorClient implements TaskClient {
  readonly #requester: Requester;
  readonly #scope: RequestScope;
  readonly #variables: SupervisorVariables;
  readonly #xcoms: SupervisorXComs;
  readonly #lookups: EnvironmentLookups | undefined;
  readonly #warn: EnvironmentLookupOptions["warn"];
  /** What the report of the task's success has to carry. */
  readonly outletEvents: OutletEvents = new OutletEvents();
  /** The text given to {@link setRenderedMapIndex} last; the task's report repeats it. */
  renderedMapIndex: string | null = null;

  readonly taskState: TaskStateStore;
  readonly assets: Assets;
  readonly dagRuns: DagRuns;
  readonly taskInstances: TaskInstances;

  constructor(requester: Requester, context: TaskContext, options: ClientOptions = {}) {
    const { schemaVersion = "2026-06-16", environment, warn = () => {} } = options;
    const scope: RequestScope = { requester, context, schemaVersion };
    this.#requester = requester;
    this.#scope = scope;
    this.#variables = new SupervisorVariables(requester);
    this.#xcoms = new SupervisorXComs(scope);
    if (environment !== undefined) {
      const mask = (value: unknown, name?: string) => this.maskSecret(value, { name });
      this.#lookups = new EnvironmentLookups({ variables: environment, mask, warn });
    }
    this.#warn = warn;
    this.taskState = lazily<TaskStateStore>(
      { get: true, set: true, delete: true, clear: true },
      async () => (await import("./requests/state-stores.ts")).taskStateStore(scope),
    );
    this.assets = lazily<Assets>(
      { get: true, listByAlias: true, emit: true, listEvents: true, listInactive: true },
      async () => {
        const { SupervisorAssets } = await import("./requests/assets.ts");
        return new SupervisorAssets(scope, this.outletEvents);
      },
    );
    this.dagRuns = lazily<DagRuns>(
      {
        ...{ trigger: true, get: true, getState: true, count: true, getPrevious: true },
        ...{ getPreviousSuccess: true, setNote: true, getDag: true },
      },
      async () => new (await import("./requests/dag-runs.ts")).SupervisorDagRuns(scope),
    );
    this.taskInstances = lazily<TaskInstances>(
      {
        count: true,
        getStates: true,
        getPrevious: true,
        getFirstReschedule: true,
        listEnded: true,
      },
      async () => new (await import("./requests/task-instances.ts")).SupervisorTaskInstances(scope),
    );
  }

  getVariable(key: string): Promise<string | null> {
    return orNull(this.getVariableOrThrow(key));
  }

  async getVariableOrThrow(key: string): Promise<string> {
    const local = await this.#lookups?.getVariable(key);
    return local ?? this.#variables.get(key);
  }

  async setVariable(
    key: string,
    value: string,
    options: { readonly description?: string | null | undefined } = {},
  ): Promise<void> {
    await this.#variables.set(key, value, options.description ?? null);
    if (this.#lookups?.hasVariable(key)) {
      const event = "This Variable is in the worker's environment too, where tasks find it first";
      this.#warn(event, { key });
    }
  }

  deleteVariable(key: string): Promise<boolean> {
    return this.#variables.delete(key);
  }

  listVariableKeys(
    options: ListVariableKeysOptions = {},
  ): Promise<{ readonly keys: readonly string[]; readonly total: number }> {
    return this.#variables.listKeys(options);
  }

  getConnection(id: string): Promise<Connection | null> {
    return orNull(this.getConnectionOrThrow(id));
  }

  async getConnectionOrThrow(id: string): Promise<Connection> {
    const local = await this.#lookups?.getConnection(id);
    if (local) return local;
    const { requestConnection } = await import("./requests/connections.ts");
    return requestConnection(this.#requester, id);
  }

  getXCom<Value = XComValue>(options: GetXComOptions): Promise<Value | null> {
    return this.#xcoms.get(options);
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

  async hasXCom(options: XComSeriesOptions): Promise<boolean> {
    return (await this.#xcoms.count(options)) > 0;
  }

  countXComs(options: XComSeriesOptions): Promise<number> {
    return this.#xcoms.count(options);
  }

  getXComItem<Value = XComValue>(
    options: XComSeriesOptions & { readonly index: number },
  ): Promise<Value> {
    return this.#xcoms.item(options);
  }

  getXComSlice<Value = XComValue>(options: XComSliceOptions): Promise<readonly Value[]> {
    return this.#xcoms.slice(options);
  }

  getXComSequence<Value = XComValue>(options: XComSequenceOptions): XComSequence<Value> {
    return new PagedXComSequence<Value>(this, options);
  }

  setXCom(value: unknown, options: SetXComOptions): Promise<void> {
    return this.#xcoms.set(value, options, "setXCom");
  }

  /** Pushes what the handler returned. @param mappedLength - when tasks are expanded over it */
  setResult(value: unknown, mappedLength?: number): Promise<void> {
    return this.#xcoms.set(value, { key: RESULT_KEY, mappedLength }, "The task's result");
  }

  deleteXCom(options: DeleteXComOptions): Promise<void> {
    return this.#xcoms.delete(options);
  }

  assetState(asset: AssetRef): AssetStateStore {
    checkAssetRef(asset, "assetState");
    return lazily<AssetStateStore>({ get: true, set: true, delete: true, clear: true }, async () =>
      (await import("./requests/state-stores.ts")).assetStateStore(this.#scope, asset),
    );
  }

  async maskSecret(
    value: unknown,
    options: { readonly name?: string | null | undefined } = {},
  ): Promise<void> {
    checkJsonValue(value, "maskSecret");
    const request = { type: "MaskSecret", value, name: options.name ?? null };
    await this.#requester.send(request, validMaskSecret);
  }

  async setRenderedMapIndex(text: string): Promise<void> {
    const { SupervisorRendered } = await import("./requests/rendered.ts");
    await new SupervisorRendered(this.#requester).setMapIndex(text);
    this.renderedMapIndex = text;
  }

  async setRenderedFields(fields: JsonMap): Promise<void> {
    const { SupervisorRendered } = await import("./requests/rendered.ts");
    await new SupervisorRendered(this.#requester).setFields(fields);
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
