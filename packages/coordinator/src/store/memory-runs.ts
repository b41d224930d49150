import {
  clearedRun,
  type DagRunChanges,
  type DagRunFilter,
  type DagRunStore,
  type StoredDagRun,
} from "./dag-run-store.ts";
import { byParts, MemoryTable } from "./memory-table.ts";
import { momentKey, optionalMomentKey } from "./moments.ts";
import { checkKeys } from "./series.ts";
import {
  type FoundTaskInstance,
  given,
  isEarlierTry,
  NO_FACTS,
  type StoredTaskInstance,
  type TaskInstanceChanges,
  type TaskInstanceFilter,
  type TaskInstanceStore,
} from "./task-instance-store.ts";
import type { TaskInstanceRef } from "./task-store.ts";

/** The present and the earlier tries of task instances, in memory. */
export class MemoryTaskInstances implements TaskInstanceStore {
  readonly #present = new MemoryTable<FoundTaskInstance>();
  readonly #earlier = new MemoryTable<FoundTaskInstance[]>();

  async get(ref: TaskInstanceRef): Promise<FoundTaskInstance | undefined> {
    return this.#present.get(keyOf(ref));
  }

  async set(instance: StoredTaskInstance): Promise<void> {
    checkKeys("taskInstances.set", [instance.dagId, instance.runId, instance.taskId]);
    const key = keyOf(instance);
    const before = this.#present.get(key);
    this.#present.set(key, { ...NO_FACTS, ...given(instance) } as FoundTaskInstance);
    if (before !== undefined && isEarlierTry(before, instance)) this.#archive(before);
  }

  async update(ref: TaskInstanceRef, changes: TaskInstanceChanges): Promise<boolean> {
    const before = this.#present.get(keyOf(ref));
    if (before === undefined) return false;
    this.#present.set(keyOf(ref), { ...before, ...given(changes) } as FoundTaskInstance);
    return true;
  }

  async list(filter: TaskInstanceFilter): Promise<FoundTaskInstance[]> {
    const { dagId, runIds, taskIds, mapIndex } = filter;
    return this.#sorted(
      ([dag, run, task, index]) =>
        dag === dagId &&
        (runIds === undefined || runIds.includes(run as string)) &&
        (taskIds === undefined || taskIds.includes(task as string)) &&
        (mapIndex === undefined || mapIndex === index),
    );
  }

  async history(ref: TaskInstanceRef): Promise<FoundTaskInstance[]> {
    return this.#earlier.get(keyOf(ref)) ?? [];
  }

  /** Every present try. */
  all(): FoundTaskInstance[] {
    return this.#sorted();
  }

  /** Every earlier try, by instance. */
  allEarlier(): FoundTaskInstance[] {
    return this.#earlier.rows().flat();
  }

  /** What a clear does to the instances of a run. */
  clear(dagId: string, runId: string): void {
    for (const row of this.#sorted(([dag, run]) => dag === dagId && run === runId)) {
      if (row.state === null) continue;
      this.#archive(row);
      const { tryNumber } = row;
      const fresh = { ...NO_FACTS, state: null, tryNumber, startDate: null, endDate: null };
      this.#present.set(keyOf(row), { ...row, ...fresh });
    }
  }

  #sorted(isWanted?: (key: readonly unknown[]) => boolean): FoundTaskInstance[] {
    return this.#present.rows(isWanted).sort(byParts(keyOf));
  }

  #archive(row: FoundTaskInstance): void {
    this.#earlier.set(keyOf(row), [...(this.#earlier.get(keyOf(row)) ?? []), row]);
  }
}

/** Dag runs, in memory. */
export class MemoryDagRuns implements DagRunStore {
  readonly #rows = new MemoryTable<StoredDagRun>();
  readonly #taskInstances: MemoryTaskInstances;

  constructor(taskInstances: MemoryTaskInstances) {
    this.#taskInstances = taskInstances;
  }

  async get(dagId: string, runId: string): Promise<StoredDagRun | undefined> {
    return this.#rows.get([dagId, runId]);
  }

  async set(run: StoredDagRun): Promise<void> {
    checkKeys("dagRuns.set", [run.dagId, run.runId]);
    sortKeyOf(run);
    this.#rows.set([run.dagId, run.runId], run);
  }

  async create(run: StoredDagRun): Promise<boolean> {
    if (this.#rows.has([run.dagId, run.runId])) return false;
    await this.set(run);
    return true;
  }

  async update(dagId: string, runId: string, changes: DagRunChanges): Promise<boolean> {
    const before = this.#rows.get([dagId, runId]);
    if (before === undefined) return false;
    await this.set({ ...before, ...given(changes) } as StoredDagRun);
    return true;
  }

  async clear(dagId: string, runId: string): Promise<boolean> {
    const before = this.#rows.get([dagId, runId]);
    if (before === undefined) return false;
    this.#rows.set([dagId, runId], clearedRun(before));
    this.#taskInstances.clear(dagId, runId);
    return true;
  }

  async list(filter: DagRunFilter): Promise<StoredDagRun[]> {
    const { dagId, runIds, states } = filter;
    const dates = filter.logicalDates?.map(momentKey);
    const found = this.#sorted(
      ([dag, run]) => dag === dagId && (runIds === undefined || runIds.includes(run as string)),
    );
    return found.filter(
      (run) =>
        (states === undefined || states.includes(run.state)) &&
        (dates === undefined || dates.includes(optionalMomentKey(run.logicalDate) ?? "")),
    );
  }

  async previous(dagId: string, before: string, state?: string): Promise<StoredDagRun | undefined> {
    const limit = momentKey(before);
    const runs = await this.list({ dagId, ...(state !== undefined && { states: [state] }) });
    return runs.findLast(({ logicalDate }) => {
      return logicalDate !== null && momentKey(logicalDate) < limit;
    });
  }

  /** Every run, in the order of {@link DagRunStore.list}. */
  all(): StoredDagRun[] {
    return this.#sorted();
  }

  #sorted(isWanted?: (key: readonly unknown[]) => boolean): StoredDagRun[] {
    const parts = ({ dagId, logicalDate, runId }: StoredDagRun): string[] => {
      return [dagId, optionalMomentKey(logicalDate) ?? "", runId];
    };
    return this.#rows.rows(isWanted).sort(byParts(parts));
  }

  /** Where a run stands among those of its Dag; undefined for one that is not known. */
  sortKey(dagId: string, runId: string): string | undefined {
    const run = this.#rows.get([dagId, runId]);
    return run && sortKeyOf(run);
  }
}

/** Logical date, or when the run is due. */
export function sortKeyOf(run: StoredDagRun): string {
  return momentKey(run.logicalDate ?? run.runAfter);
}

function keyOf(ref: TaskInstanceRef): [string, string, string, number] {
  return [ref.dagId, ref.runId, ref.taskId, ref.mapIndex];
}
