import type {
  DagDetail,
  DevBackend,
  DevEvent,
  FramePage,
  InstanceRef,
  LogEntry,
  LogPage,
  PageRequest,
  Project,
  RunDetail,
  RunPage,
  RunPageRequest,
  RunStarted,
  StartRun,
  TaskInstance,
  TaskInstanceDetail,
  XComEntry,
  XComList,
} from "@parlance/dev";
import { dagSummary, gridRun, START } from "./fixture-parts.ts";

/** What of an instance is not in the list of instances. */
export type InstanceRest = Omit<TaskInstanceDetail, keyof TaskInstance> & {
  readonly xcoms?: readonly XComEntry[];
};

/**
 * A backend of made up data, to look at the page with what a real run gives only now and then. Tests change it and
 * tell the page with `emit`.
 */
export class FixtureBackend implements DevBackend {
  revision = 1;
  readonly dags = new Map<string, DagDetail>();
  /** Newest first. */
  readonly allRuns: RunDetail[] = [];
  readonly rest = new Map<string, InstanceRest>();
  readonly logs = new Map<string, LogEntry[]>();
  readonly allFrames = new Map<string, FramePage["frames"]>();
  /** Attempts that are over. */
  readonly finished = new Set<string>();
  /** What was asked for, as JSON. */
  readonly asked: string[] = [];
  loadError: Project["loadError"] = null;
  readonly #listeners = new Set<(event: DevEvent) => void>();

  emit(event: DevEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Changes one instance and tells the page. */
  change(ref: InstanceRef, change: Partial<TaskInstance>): void {
    const run = this.allRuns.find(({ runId }) => runId === ref.runId);
    const instance = run?.instances.find((one) => keyOf(one) === keyOf(ref));
    if (instance === undefined) throw new Error(`there is no ${keyOf(ref)}`);
    Object.assign(instance, change);
    this.emit({ type: "instance", instance });
  }

  /** Adds lines to a log and tells the page. */
  addLines(ref: InstanceRef, attemptId: string, lines: readonly LogEntry[]): void {
    this.logs.set(attemptId, [...(this.logs.get(attemptId) ?? []), ...lines]);
    this.emit({ type: "log", ...ref, attemptId, tryNumber: 1 });
  }

  async project(): Promise<Project> {
    const dags = [...this.dags.values()].map((dag) => dagSummary(dag, this.allRuns));
    return {
      name: "warehouse",
      revision: this.revision,
      status: this.loadError === null ? "ready" : "failed",
      loadError: this.loadError,
      loadedAt: START,
      dags,
      serverTime: new Date().toISOString(),
    };
  }

  async dag(dagId: string): Promise<DagDetail | undefined> {
    const dag = this.dags.get(dagId);
    return dag === undefined ? undefined : { ...dag, ...dagSummary(dag, this.allRuns) };
  }

  describeDag(): undefined {
    return undefined;
  }

  async runs(dagId: string, { before, limit }: RunPageRequest): Promise<RunPage> {
    const own = this.allRuns.filter((run) => run.dagId === dagId);
    const from = before === undefined ? 0 : own.findIndex(({ runId }) => runId === before) + 1;
    const shown = own.slice(from, from + limit);
    const hasMore = from + limit < own.length;
    return { runs: shown.map(gridRun), nextBefore: hasMore ? (shown.at(-1)?.runId ?? null) : null };
  }

  async run(_dagId: string, runId: string): Promise<RunDetail | undefined> {
    return this.allRuns.find((run) => run.runId === runId);
  }

  async instance(ref: InstanceRef): Promise<TaskInstanceDetail | undefined> {
    const run = await this.run(ref.dagId, ref.runId);
    const instance = run?.instances.find((one) => keyOf(one) === keyOf(ref));
    if (instance === undefined) return undefined;
    const none: InstanceRest = { attempts: [], waits: [], plannedWaits: [] };
    const { attempts, waits, plannedWaits } = this.rest.get(keyOf(ref)) ?? none;
    return { ...instance, attempts, waits, plannedWaits };
  }

  async xcoms(ref: InstanceRef): Promise<XComList> {
    return { xcoms: this.rest.get(keyOf(ref))?.xcoms ?? [] };
  }

  async log(attemptId: string, page: PageRequest): Promise<LogPage> {
    const { entries: records, ...rest } = this.#part(attemptId, this.logs.get(attemptId), page);
    return { records, ...rest };
  }

  async frames(attemptId: string, page: PageRequest): Promise<FramePage> {
    const { entries, ...rest } = this.#part(attemptId, this.allFrames.get(attemptId), page);
    return { frames: entries, ...rest };
  }

  async startRun(dagId: string, request: StartRun): Promise<RunStarted> {
    this.asked.push(`start ${dagId} ${JSON.stringify(request)}`);
    return { runId: this.allRuns.find((run) => run.dagId === dagId)?.runId ?? "none" };
  }

  async retryTask(ref: InstanceRef): Promise<void> {
    this.asked.push(`retry ${keyOf(ref)}`);
  }

  async resumeRun(_dagId: string, runId: string): Promise<void> {
    this.asked.push(`resume ${runId}`);
  }

  async cancelRun(_dagId: string, runId: string): Promise<void> {
    this.asked.push(`cancel ${runId}`);
  }

  subscribe(listener: (event: DevEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #part<E>(
    attemptId: string,
    all: readonly E[] = [],
    { offset, limit }: PageRequest,
  ): { readonly entries: readonly E[] } & Omit<LogPage, "records"> {
    const entries = all.slice(offset, offset + limit);
    const nextOffset = offset + entries.length;
    const hasMore = nextOffset < all.length;
    return { entries, nextOffset, hasMore, isFinished: this.finished.has(attemptId) };
  }
}

/** The key of `rest`. */
export function keyOf({ runId, taskId, mapIndex }: Omit<InstanceRef, "dagId">): string {
  return `${runId} ${taskId} ${mapIndex}`;
}
