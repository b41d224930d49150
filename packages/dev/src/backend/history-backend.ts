import type { BaseCoordinator, SecretMasker } from "@parlance/coordinator";
import { type DagRunnerApi, dagOfTasks, type RunHistory } from "@parlance/coordinator/dag-run";
import type { DagDescription } from "@parlance/retry";
import type {
  DagDetail,
  DevEvent,
  FramePage,
  InstanceRef,
  LogPage,
  Project,
  RunDetail,
  RunPage,
  RunStarted,
  RunSummary,
  StartRun,
  TaskInstanceDetail,
  XComList,
} from "../api/types.ts";
import { RunNews } from "../events/run-news.ts";
import type { DevProject, LoadedProgram } from "../project/dev-project.ts";
import { dagDetail, dagSummary, type KnownDag } from "../views/dag-view.ts";
import { describeDag } from "../views/describe-dag.ts";
import { masked } from "../views/mask.ts";
import { RunViews } from "../views/run-views.ts";
import { readFrames, readLog } from "./attempt-pages.ts";
import type { DevBackend, PageRequest, RunPageRequest } from "./dev-backend.ts";
import { RunActions } from "./run-actions.ts";

/** What a project's pages are made of. */
export interface HistoryBackendOptions {
  readonly project: DevProject;
  readonly history: RunHistory;
  readonly runner: DagRunnerApi;
  readonly coordinator: BaseCoordinator;
  /** Knows what must not be shown. */
  readonly masker: SecretMasker;
  /** Of runs that do not say otherwise. */
  readonly timeScale: number;
  /** Told of what goes wrong after an answer was given. */
  readonly onFault: (error: unknown) => void;
}

/** The project's code, the history of its runs, and the runner, as one backend. */
export class HistoryBackend implements DevBackend {
  readonly #options: HistoryBackendOptions;
  readonly #views: RunViews;
  readonly #actions: RunActions;
  readonly #news: RunNews;
  readonly #listeners = new Set<(event: DevEvent) => void>();
  #known: { readonly program: LoadedProgram; readonly dags: readonly KnownDag[] } | undefined;
  readonly #unsubscribe: readonly (() => void)[];

  constructor(options: HistoryBackendOptions) {
    const { project, history, runner, masker } = options;
    this.#options = options;
    this.#views = new RunViews(masker);
    this.#actions = new RunActions({ ...options, findDag: (dagId) => this.#find(dagId) });
    this.#news = new RunNews({
      history,
      views: this.#views,
      publish: (event) => this.#publish(event),
    });
    this.#unsubscribe = [
      runner.onEvent((event, run) => this.#news.tell(event, run)),
      project.onChange(() => this.#publish({ type: "project", revision: this.revision })),
    ];
  }

  get revision(): number {
    return this.#options.project.current().revision;
  }

  async project(): Promise<Project> {
    const { project } = this.#options;
    const { revision, program, error } = project.current();
    const dags = this.#dags().map(async (known) =>
      dagSummary(known, await this.#lastRun(known.dag.dagId)),
    );
    return {
      name: project.name,
      revision,
      status: error !== null ? "failed" : program === null ? "loading" : "ready",
      loadError: error && { ...error, text: this.#views.text(error.text) },
      loadedAt: program?.loadedAt.toISOString() ?? null,
      dags: await Promise.all(dags),
      serverTime: new Date().toISOString(),
    };
  }

  async dag(dagId: string): Promise<DagDetail | undefined> {
    const known = this.#find(dagId);
    if (known === undefined) return undefined;
    return dagDetail(known, await this.#lastRun(dagId), this.#options.masker);
  }

  describeDag(dagId: string): DagDescription | undefined {
    const known = this.#find(dagId);
    return known && describeDag(known.dag, this.#options.masker);
  }

  async runs(dagId: string, { limit, before }: RunPageRequest): Promise<RunPage | undefined> {
    const page = await this.#options.history.grid({ dagId, limit, before: before ?? null });
    if (page.runs.length === 0 && this.#find(dagId) === undefined) return undefined;
    return {
      runs: page.runs.map((run) => this.#views.gridRun(run)),
      nextBefore: page.nextBefore,
    };
  }

  async run(dagId: string, runId: string): Promise<RunDetail | undefined> {
    const { history, masker } = this.#options;
    const run = await history.run(dagId, runId);
    if (run === undefined) return undefined;
    const instances = await history.instances(dagId, runId);
    return {
      ...this.#views.run(run),
      conf: masked(masker, run.conf),
      instances: instances.map((instance) => this.#views.instance(instance)),
      isActive: this.#actions.isActive(dagId, runId),
    };
  }

  async instance(ref: InstanceRef): Promise<TaskInstanceDetail | undefined> {
    const { history } = this.#options;
    const instance = await history.instance(ref);
    if (instance === undefined) return undefined;
    const [attempts, waits, planned] = await Promise.all([
      history.attempts(ref),
      history.waits(ref),
      history.plannedWaits(ref),
    ]);
    return {
      ...this.#views.instance(instance),
      attempts: attempts.map((attempt) => this.#views.attempt(attempt)),
      waits: waits.map((wait) => this.#views.wait(wait)),
      plannedWaits: planned.map((wait) => this.#views.wait(wait)),
    };
  }

  async xcoms(ref: InstanceRef): Promise<XComList | undefined> {
    const { history } = this.#options;
    if ((await history.instance(ref)) === undefined) return undefined;
    const xcoms = await history.xcoms(ref);
    return {
      xcoms: xcoms.map(({ key, json, isCut }) => ({ key, json: this.#views.text(json), isCut })),
    };
  }

  log(attemptId: string, page: PageRequest): Promise<LogPage | undefined> {
    return readLog(this.#options, attemptId, page);
  }

  frames(attemptId: string, page: PageRequest): Promise<FramePage | undefined> {
    return readFrames(this.#options, attemptId, page);
  }

  startRun(dagId: string, request: StartRun): Promise<RunStarted> {
    return this.#actions.start(dagId, request);
  }

  retryTask(ref: InstanceRef): Promise<void> {
    return this.#actions.retry(ref);
  }

  resumeRun(dagId: string, runId: string): Promise<void> {
    return this.#actions.resume(dagId, runId);
  }

  cancelRun(dagId: string, runId: string): Promise<void> {
    return this.#actions.cancel(dagId, runId);
  }

  subscribe(listener: (event: DevEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Hears of nothing any more. Project, runner and history are not closed. */
  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#news.close();
  }

  /** Made once for each program. */
  #dags(): readonly KnownDag[] {
    const { program } = this.#options.project.current();
    if (program === null) return [];
    if (this.#known?.program !== program) this.#known = { program, dags: dagsOf(program) };
    return this.#known.dags;
  }

  #find(dagId: string): KnownDag | undefined {
    return this.#dags().find(({ dag }) => dag.dagId === dagId);
  }

  async #lastRun(dagId: string): Promise<RunSummary | null> {
    const { runs } = await this.#options.history.runs({ dagId, limit: 1 });
    return runs[0] === undefined ? null : this.#views.run(runs[0]);
  }

  #publish(event: DevEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

function dagsOf(program: LoadedProgram): readonly KnownDag[] {
  const native = program.dags.map((dag) => ({ dag, kind: "native" as const }));
  const plain = [...program.plainTasks].map(([dagId, taskIds]) => {
    return { dag: dagOfTasks({ dagId, taskIds }), kind: "plain" as const };
  });
  return [...native, ...plain];
}
