import { lazyXCom } from "../large-values/lazy-xcom.ts";
import type { AssetStore } from "./asset-store.ts";
import type { DagRunStore } from "./dag-run-store.ts";
import { exactJsonText, parseExactJson } from "./exact-json.ts";
import type { HitlStore } from "./hitl-store.ts";
import { MemoryAssets } from "./memory-assets.ts";
import { MemoryHitl } from "./memory-hitl.ts";
import { MemoryDagRuns, MemoryTaskInstances } from "./memory-runs.ts";
import { byParts } from "./memory-table.ts";
import { byCodePoint, checkKeys, slicePositions } from "./series.ts";
import { maskedDump, type StoreDump, type StoredState } from "./store-dump.ts";
import type { TaskInstanceStore } from "./task-instance-store.ts";
import type {
  ConnectionStore,
  StateStore,
  StoredConnection,
  StoredVariable,
  StoredXCom,
  TaskStore,
  VariableStore,
  XComFilter,
  XComRef,
  XComSeries,
  XComSlice,
  XComStore,
} from "./task-store.ts";

/**
 * A store that lives as long as the process. Values are kept as text, as the SQLite store does it,
 * so that a caller's later change of an object changes nothing here.
 */
export class MemoryTaskStore implements TaskStore {
  readonly variables: VariableStore;
  readonly connections: ConnectionStore;
  readonly xcoms: XComStore;
  readonly states: StateStore;
  readonly taskInstances: TaskInstanceStore;
  readonly dagRuns: DagRunStore;
  readonly assets: AssetStore;
  readonly hitl: HitlStore;
  /** Everything as it is, with the secrets. */
  readonly #contents: () => Promise<StoreDump>;

  constructor() {
    const variables = new MemoryVariables();
    const connections = new MemoryConnections();
    const states = new MemoryStates();
    const taskInstances = new MemoryTaskInstances();
    const dagRuns = new MemoryDagRuns(taskInstances);
    const xcoms = new MemoryXComs((dagId, runId) => dagRuns.sortKey(dagId, runId));
    const assets = new MemoryAssets();
    const hitl = new MemoryHitl();
    this.variables = variables;
    this.connections = connections;
    this.xcoms = xcoms;
    this.states = states;
    this.taskInstances = taskInstances;
    this.dagRuns = dagRuns;
    this.assets = assets;
    this.hitl = hitl;
    this.#contents = async () => ({
      variables: variables.all(),
      connections: connections.all(),
      xcoms: xcoms.all(),
      states: states.all(),
      dagRuns: dagRuns.all(),
      taskInstances: taskInstances.all(),
      taskInstanceHistory: taskInstances.allEarlier(),
      hitlDetails: await hitl.list(),
      assets: await assets.list(),
      assetEvents: await assets.events({}),
    });
  }

  async dump(): Promise<StoreDump> {
    return maskedDump(await this.#contents());
  }

  async close(): Promise<void> {}
}

class MemoryVariables implements VariableStore {
  readonly #rows = new Map<string, StoredVariable>();

  async get(key: string): Promise<StoredVariable | undefined> {
    return this.#rows.get(key);
  }

  async set(variable: StoredVariable): Promise<void> {
    checkKeys("variables.set", [variable.key]);
    this.#rows.set(variable.key, { ...variable });
  }

  async delete(key: string): Promise<boolean> {
    return this.#rows.delete(key);
  }

  async keys(): Promise<string[]> {
    return [...this.#rows.keys()].sort(byCodePoint);
  }

  all(): StoredVariable[] {
    return [...this.#rows.values()].sort(byParts(({ key }) => [key]));
  }
}

class MemoryConnections implements ConnectionStore {
  readonly #rows = new Map<string, StoredConnection>();

  async get(connId: string): Promise<StoredConnection | undefined> {
    return this.#rows.get(connId);
  }

  async set(connection: StoredConnection): Promise<void> {
    checkKeys("connections.set", [connection.connId]);
    this.#rows.set(connection.connId, { ...connection });
  }

  async delete(connId: string): Promise<boolean> {
    return this.#rows.delete(connId);
  }

  async ids(): Promise<string[]> {
    return [...this.#rows.keys()].sort(byCodePoint);
  }

  all(): StoredConnection[] {
    return [...this.#rows.values()].sort(byParts(({ connId }) => [connId]));
  }
}

interface XComRow {
  readonly ref: XComRef;
  /** Exact JSON; in bytes where it is large. */
  readonly json: string | Uint8Array;
  readonly mappedLength: number | null;
  /** Goes up with every writing: the highest is the youngest. */
  readonly written: number;
}

interface XComFacts {
  readonly mappedLength?: number | null;
}

class MemoryXComs implements XComStore {
  readonly #series = new Map<string, Map<number, XComRow>>();
  readonly #sortKeyOf: (dagId: string, runId: string) => string | undefined;
  #writes = 0;

  constructor(sortKeyOf: (dagId: string, runId: string) => string | undefined) {
    this.#sortKeyOf = sortKeyOf;
  }

  async get(ref: XComRef): Promise<StoredXCom | undefined> {
    return load(this.#series.get(seriesId(ref))?.get(ref.mapIndex));
  }

  async latest(ref: XComRef): Promise<StoredXCom | undefined> {
    return load(this.#ofRunsUpTo(ref).find((row) => row.ref.mapIndex === ref.mapIndex));
  }

  async set(ref: XComRef, value: unknown, facts: XComFacts = {}): Promise<void> {
    this.#put(ref, exactJsonText(value), facts);
  }

  async setExactJson(ref: XComRef, json: Uint8Array, facts: XComFacts = {}): Promise<void> {
    this.#put(ref, json, facts);
  }

  #put(ref: XComRef, json: string | Uint8Array, { mappedLength = null }: XComFacts): void {
    const { dagId, runId, taskId, key, mapIndex } = ref;
    checkKeys("xcoms.set", [dagId, runId, taskId, key]);
    const rows = this.#series.get(seriesId(ref)) ?? new Map<number, XComRow>();
    this.#writes += 1;
    rows.set(mapIndex, {
      ref: { dagId, runId, taskId, key, mapIndex },
      json,
      mappedLength,
      written: this.#writes,
    });
    this.#series.set(seriesId(ref), rows);
  }

  async delete(ref: XComRef): Promise<boolean> {
    const rows = this.#series.get(seriesId(ref));
    const found = rows?.delete(ref.mapIndex) ?? false;
    if (rows?.size === 0) this.#series.delete(seriesId(ref));
    return found;
  }

  async count(series: XComSeries): Promise<number> {
    return this.#series.get(seriesId(series))?.size ?? 0;
  }

  async item(series: XComSeries, offset: number): Promise<StoredXCom | undefined> {
    return load(this.#ordered(series).at(offset));
  }

  async slice(
    series: XComSeries,
    slice: XComSlice,
    { priorRuns = false }: { readonly priorRuns?: boolean } = {},
  ): Promise<StoredXCom[]> {
    const rows = priorRuns
      ? this.#ofRunsUpTo(series)
          .reverse()
          .sort((left, right) => left.ref.mapIndex - right.ref.mapIndex)
      : this.#ordered(series);
    return loadAll(slicePositions(rows.length, slice).map((position) => rows[position]));
  }

  async list(filter: XComFilter): Promise<StoredXCom[]> {
    const rows = this.#rows().filter(
      ({ ref }) =>
        ref.dagId === filter.dagId &&
        ref.runId === filter.runId &&
        (filter.taskId === undefined || ref.taskId === filter.taskId) &&
        (filter.mapIndex === undefined || ref.mapIndex === filter.mapIndex),
    );
    return loadAll(rows.sort((left, right) => left.written - right.written));
  }

  all(): StoredXCom[] {
    return loadAll(this.#rows().sort((left, right) => left.written - right.written));
  }

  /** Rows of the run itself, then of earlier runs, the youngest first, then of unknown ones. */
  #ofRunsUpTo(series: XComSeries): XComRow[] {
    const wanted = seriesId({ ...series, runId: "" });
    const limit = this.#sortKeyOf(series.dagId, series.runId);
    const found = this.#rows().flatMap((row) => {
      if (seriesId({ ...row.ref, runId: "" }) !== wanted) return [];
      const own = row.ref.runId === series.runId;
      const moment = this.#sortKeyOf(series.dagId, row.ref.runId) ?? "";
      return own || limit === undefined || moment <= limit ? [{ row, own, moment }] : [];
    });
    const parts = byParts(({ row, own, moment }: (typeof found)[number]) => [
      own ? 1 : 0,
      moment,
      row.written,
    ]);
    return found.sort((left, right) => parts(right, left)).map(({ row }) => row);
  }

  #rows(): XComRow[] {
    return [...this.#series.values()].flatMap((rows) => [...rows.values()]);
  }

  #ordered(series: XComSeries): XComRow[] {
    const rows = this.#series.get(seriesId(series))?.values() ?? [];
    return [...rows].sort((left, right) => left.ref.mapIndex - right.ref.mapIndex);
  }
}

class MemoryStates implements StateStore {
  readonly #scopes = new Map<string, Map<string, { text: string; expiresAt: number | null }>>();

  async get(scope: string, key: string): Promise<{ readonly value: unknown } | undefined> {
    const row = this.#scopes.get(scope)?.get(key);
    if (row === undefined || (row.expiresAt !== null && row.expiresAt <= Date.now())) {
      return undefined;
    }
    return { value: parseExactJson(row.text) };
  }

  async set(scope: string, key: string, value: unknown, expiresAt: number | null): Promise<void> {
    checkKeys("states.set", [scope, key]);
    const rows = this.#scopes.get(scope) ?? new Map();
    rows.set(key, { text: exactJsonText(value), expiresAt });
    this.#scopes.set(scope, rows);
  }

  async delete(scope: string, key: string): Promise<boolean> {
    return this.#scopes.get(scope)?.delete(key) ?? false;
  }

  async clear(scope: string): Promise<void> {
    this.#scopes.delete(scope);
  }

  all(): StoredState[] {
    const rows = [...this.#scopes].flatMap(([scope, keys]) =>
      [...keys].map(([key, { text, expiresAt }]) => {
        return { scope, key, value: parseExactJson(text), expiresAt };
      }),
    );
    return rows.sort(byParts(({ scope, key }) => [scope, key]));
  }
}

function seriesId(series: XComSeries): string {
  return JSON.stringify([series.dagId, series.runId, series.taskId, series.key]);
}

function load(row: XComRow | undefined): StoredXCom | undefined {
  if (row === undefined) return undefined;
  const { ref, json, mappedLength } = row;
  return typeof json === "string"
    ? { ...ref, value: parseExactJson(json), mappedLength }
    : lazyXCom({ ...ref, mappedLength }, json);
}

function loadAll(rows: readonly (XComRow | undefined)[]): StoredXCom[] {
  return rows.map(load).filter((row) => row !== undefined);
}
