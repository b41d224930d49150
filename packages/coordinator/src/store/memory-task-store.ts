import { exactJsonText, parseExactJson } from "./exact-json.ts";
import { byCodePoint, checkKeys, slicePositions } from "./series.ts";
import type {
  ConnectionStore,
  StateStore,
  StoredConnection,
  StoredTaskInstance,
  StoredVariable,
  StoredXCom,
  TaskInstanceFilter,
  TaskInstanceStore,
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
  readonly variables: VariableStore = new MemoryVariables();
  readonly connections: ConnectionStore = new MemoryConnections();
  readonly xcoms: XComStore = new MemoryXComs();
  readonly states: StateStore = new MemoryStates();
  readonly taskInstances: TaskInstanceStore = new MemoryTaskInstances();

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
}

interface XComRow {
  readonly ref: XComRef;
  readonly text: string;
  /** Goes up with every writing: the highest is the youngest. */
  readonly written: number;
}

class MemoryXComs implements XComStore {
  readonly #series = new Map<string, Map<number, XComRow>>();
  #writes = 0;

  async get(ref: XComRef): Promise<StoredXCom | undefined> {
    return load(this.#series.get(seriesId(ref))?.get(ref.mapIndex));
  }

  async latest(ref: Omit<XComRef, "runId">): Promise<StoredXCom | undefined> {
    const wanted = seriesId({ ...ref, runId: "" });
    const rows = this.#rows().filter(
      (row) => row.ref.mapIndex === ref.mapIndex && seriesId({ ...row.ref, runId: "" }) === wanted,
    );
    return load(rows.sort((left, right) => right.written - left.written)[0]);
  }

  async set(ref: XComRef, value: unknown): Promise<void> {
    const { dagId, runId, taskId, key, mapIndex } = ref;
    checkKeys("xcoms.set", [dagId, runId, taskId, key]);
    const text = exactJsonText(value);
    const rows = this.#series.get(seriesId(ref)) ?? new Map<number, XComRow>();
    this.#writes += 1;
    rows.set(mapIndex, {
      ref: { dagId, runId, taskId, key, mapIndex },
      text,
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

  async slice(series: XComSeries, slice: XComSlice): Promise<StoredXCom[]> {
    const rows = this.#ordered(series);
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
}

class MemoryTaskInstances implements TaskInstanceStore {
  readonly #rows = new Map<string, StoredTaskInstance>();

  async set(instance: StoredTaskInstance): Promise<void> {
    const { dagId, runId, taskId, mapIndex } = instance;
    checkKeys("taskInstances.set", [dagId, runId, taskId]);
    this.#rows.set(JSON.stringify([dagId, runId, taskId, mapIndex]), { ...instance });
  }

  async list(filter: TaskInstanceFilter): Promise<StoredTaskInstance[]> {
    return [...this.#rows.values()].filter(
      (row) =>
        row.dagId === filter.dagId &&
        (filter.runIds === undefined || filter.runIds.includes(row.runId)) &&
        (filter.taskIds === undefined || filter.taskIds.includes(row.taskId)) &&
        (filter.mapIndex === undefined || filter.mapIndex === row.mapIndex),
    );
  }
}

function seriesId(series: XComSeries): string {
  return JSON.stringify([series.dagId, series.runId, series.taskId, series.key]);
}

function load(row: XComRow | undefined): StoredXCom | undefined {
  return row && { ...row.ref, value: parseExactJson(row.text) };
}

function loadAll(rows: readonly (XComRow | undefined)[]): StoredXCom[] {
  return rows.map(load).filter((row) => row !== undefined);
}
