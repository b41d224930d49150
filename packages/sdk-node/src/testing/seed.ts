import { Timestamp } from "@parlance/framing";
import { assetScopeOf } from "./answers/states.ts";
import type { InstanceKey, MemoryState } from "./memory-state.ts";

/** A Connection to seed; what is left out is null. */
export interface SeedConnection {
  /** For example `postgres` or `http`. */
  readonly type: string;
  readonly host?: string | null | undefined;
  readonly schema?: string | null | undefined;
  readonly login?: string | null | undefined;
  readonly password?: string | null | undefined;
  readonly port?: number | null | undefined;
  /** Text, or what is to be its JSON. */
  readonly extra?: string | { readonly [key: string]: unknown } | null | undefined;
}

/** An asset to seed. */
export interface SeedAsset {
  readonly name: string;
  /** @default the name */
  readonly uri?: string | undefined;
  readonly group?: string | undefined;
  readonly extra?: { readonly [key: string]: unknown } | undefined;
  /** @default true */
  readonly active?: boolean | undefined;
  readonly aliases?: readonly string[] | undefined;
  /** Values of its state store. */
  readonly state?: { readonly [key: string]: unknown } | undefined;
  /** What happened to it, the oldest first. */
  readonly events?: readonly SeedAssetEvent[] | undefined;
}

/** A change of an asset to seed. */
export interface SeedAssetEvent {
  /** @default now */
  readonly timestamp?: Date | undefined;
  readonly extra?: { readonly [key: string]: unknown } | undefined;
  readonly aliases?: readonly string[] | undefined;
  readonly partitionKey?: string | null | undefined;
  readonly source?: InstanceKey | null | undefined;
}

/** A Dag run to seed: another one than the task's own. */
export interface SeedRun {
  readonly dagId: string;
  readonly runId: string;
  /** @default "success" */
  readonly state?: "queued" | "running" | "success" | "failed" | undefined;
  readonly runType?: string | undefined;
  readonly logicalDate?: Date | null | undefined;
  readonly dataIntervalStart?: Date | null | undefined;
  readonly dataIntervalEnd?: Date | null | undefined;
  readonly runAfter?: Date | undefined;
  readonly startDate?: Date | null | undefined;
  readonly endDate?: Date | null | undefined;
  readonly conf?: { readonly [key: string]: unknown } | undefined;
  readonly note?: string | null | undefined;
  /** States of its task instances by task id. */
  readonly tasks?: { readonly [taskId: string]: string } | undefined;
}

/** What an Airflow in memory knows before a task runs. */
export interface AirflowSeed {
  readonly variables?: { readonly [key: string]: string } | undefined;
  readonly connections?: { readonly [id: string]: SeedConnection } | undefined;
  readonly assets?: readonly SeedAsset[] | undefined;
  readonly runs?: readonly SeedRun[] | undefined;
}

/** Adds a seed to what is there. @throws TypeError naming the part that is of a wrong type */
export function addSeed(state: MemoryState, seed: AirflowSeed): void {
  for (const [key, value] of Object.entries(seed.variables ?? {})) {
    if (typeof value !== "string") {
      throw new TypeError(
        `variables: ${key} is ${typeof value}; a Variable is text, for example JSON.stringify(value)`,
      );
    }
    state.variables.set(key, value);
  }
  for (const [id, connection] of Object.entries(seed.connections ?? {})) {
    addConnection(state, id, connection);
  }
  for (const asset of seed.assets ?? []) addAsset(state, asset);
  for (const run of seed.runs ?? []) addRun(state, run);
}

function addConnection(state: MemoryState, id: string, connection: SeedConnection): void {
  if (typeof connection?.type !== "string") {
    throw new TypeError(`connections: ${id} has no type, for example "http"`);
  }
  const { type, host, schema, login, password, port, extra } = connection;
  state.connections.set(id, {
    type,
    host: host ?? null,
    schema: schema ?? null,
    login: login ?? null,
    password: password ?? null,
    port: port ?? null,
    extra: typeof extra === "object" && extra !== null ? JSON.stringify(extra) : (extra ?? null),
  });
}

function addAsset(state: MemoryState, asset: SeedAsset): void {
  const { name, uri = name, group = "asset", extra = {}, active = true, aliases = [] } = asset;
  state.assets.push({ name, uri, group, extra, active, aliases });
  const values = Object.entries(asset.state ?? {});
  if (values.length > 0) state.states.set(assetScopeOf(name), new Map(values));
  for (const event of asset.events ?? []) {
    state.assetEvents.push({
      name,
      uri,
      timestamp: Timestamp.fromDate(event.timestamp ?? new Date()),
      extra: event.extra ?? {},
      aliases: event.aliases ?? aliases,
      partitionKey: event.partitionKey ?? null,
      source: event.source ?? null,
    });
  }
}

function addRun(state: MemoryState, run: SeedRun): void {
  const date = (value: Date | null | undefined): Timestamp | null =>
    value === null || value === undefined ? null : Timestamp.fromDate(value);
  const { dagId, runId, logicalDate } = run;
  state.setRun({
    dagId,
    runId,
    state: run.state ?? "success",
    runType: run.runType ?? "manual",
    logicalDate: date(logicalDate),
    dataIntervalStart: date(
      run.dataIntervalStart === undefined ? logicalDate : run.dataIntervalStart,
    ),
    dataIntervalEnd: date(run.dataIntervalEnd === undefined ? logicalDate : run.dataIntervalEnd),
    runAfter: Timestamp.fromDate(run.runAfter ?? logicalDate ?? new Date()),
    startDate: date(run.startDate),
    endDate: date(run.endDate),
    conf: run.conf ?? {},
    note: run.note ?? null,
    partitionKey: null,
    clearNumber: 0,
  });
  for (const [taskId, taskState] of Object.entries(run.tasks ?? {})) {
    const facts = { tryNumber: 1, startDate: date(run.startDate), endDate: date(run.endDate) };
    state.setInstance({ dagId, runId, taskId, mapIndex: -1, state: taskState, ...facts });
  }
}
