import type { AttemptSummary, RunState, TaskState } from "../history/history-types.ts";
import { runSummary } from "../history/run-rows.ts";
import { compileDag } from "../rules/compiled-dag.ts";
import { lookAtChanges, STUCK } from "../rules/evaluate-run.ts";
import { failFast } from "../rules/fail-fast.ts";
import type { Candidate } from "../rules/limits.ts";
import { isStuck, runEnd } from "../rules/run-end.ts";
import { RunView } from "../rules/run-view.ts";
import { applyTransition, type Transition } from "../rules/transition.ts";
import { clearedChanges, findCleared } from "./clear-tasks.ts";
import { DagRunError } from "./dag-run-error.ts";
import { driveAttempt } from "./drive-attempt.ts";
import type { EngineHost } from "./engine-host.ts";
import type { LiveInstance } from "./live-instance.ts";
import type { PreparedRun } from "./prepare-run.ts";
import { ReadyQueue } from "./ready-queue.ts";
import { Repeater } from "./repeater.ts";
import { RunFactsCache } from "./run-facts.ts";
import { RunInstances } from "./run-instances.ts";
import type {
  ActiveRun,
  RunEvent,
  RunOutcome,
  StartRunRequest,
  TaskSelection,
} from "./runner-types.ts";
import { Usage } from "./usage.ts";
import { WaitClock } from "./wait-clock.ts";
import { waitingNote } from "./waiting-note.ts";
import { waitsForPast } from "./waits-for-past.ts";

/**
 * One run that goes on: looks at it as the scheduler does whenever something has changed, writes what
 * that comes to, and only then does it.
 */
export class RunEngine implements ActiveRun {
  readonly dagId: string;
  readonly runId: string;
  readonly ended: Promise<RunOutcome>;
  readonly usage: Usage = new Usage();
  readonly #host: EngineHost;
  readonly #request: StartRunRequest;
  readonly #prepared: PreparedRun;
  readonly #view: RunView;
  readonly #facts: RunFactsCache;
  readonly #past = new Map<string, string>();
  readonly #instances: RunInstances;
  readonly #ready: ReadyQueue;
  readonly #clock: WaitClock;
  readonly #kill = new AbortController();
  readonly #looks = new Repeater(
    () => this.#look(),
    (error) => this.#fail(error),
  );
  #run: PreparedRun["run"];
  #isCanceled = false;
  #isOver = false;
  #resolve: (outcome: RunOutcome) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(host: EngineHost, request: StartRunRequest, prepared: PreparedRun) {
    const { dag, run, records, instances } = prepared;
    this.#host = host;
    this.#request = request;
    this.#prepared = prepared;
    this.#run = run;
    this.dagId = dag.dagId;
    this.runId = run.runId;
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.ended.catch(() => {}); // whoever waits hears of it
    const compiled = compileDag(dag);
    this.#facts = new RunFactsCache(host.store, run.runId, compiled);
    this.#ready = new ReadyQueue(compiled);
    this.#instances = new RunInstances(records, compiled, instances);
    this.#view = new RunView(
      dag,
      instances.map((one) => ({ ...one.ref, state: one.state })),
      {
        ...this.#facts.facts,
        isWaiting: (taskId, mapIndex) => this.#isWaiting(taskId, mapIndex),
        waitsForPast: (taskId) => this.#past.get(taskId),
      },
    );
    this.#clock = new WaitClock(host.now, (taskId) => {
      this.#view.lookAt(taskId);
      this.#looks.ask();
    });
  }

  /** Places that the run itself leaves. */
  get free(): number {
    const { maxActiveTasks } = this.#prepared.dag;
    return Math.min(this.#request.parallel ?? Infinity, maxActiveTasks) - this.usage.running;
  }

  candidates(most: number, runPlace: number): Candidate[] {
    return this.#isCanceled || this.#isOver ? [] : this.#ready.candidates(most, runPlace);
  }

  /** Reads what is known of the past, clears what was asked for, and goes on. */
  async start(): Promise<void> {
    const { store } = this.#host;
    for (const task of this.#prepared.dag.tasks) {
      const reason = await waitsForPast(store, this.dagId, this.#run.logicalDate, task);
      if (reason !== undefined) this.#past.set(task.taskId, reason);
    }
    for (const one of this.#instances.all()) {
      const { taskId, mapIndex } = one.ref;
      if (one.state !== null && this.#facts.concerns(taskId)) {
        await this.#facts.read(taskId, mapIndex);
      }
      this.#clock.add(one);
    }
    if (this.#request.clear !== undefined) await this.#clear(this.#request.clear);
    await this.#setRun({ state: "running", endDate: null }, null, null);
    const { conf, logicalDate } = this.#request;
    if (this.#prepared.isResumed && (conf !== undefined || logicalDate !== undefined)) {
      const message = "the run is taken up: it keeps the configuration and the date it began with";
      this.#emit({ type: "notice", message });
    }
    this.#view.lookAtAll();
    this.#looks.ask();
  }

  cancel(): Promise<RunOutcome> {
    if (this.#isOver) return this.ended;
    this.#isCanceled = true;
    for (const one of this.#instances.all()) one.end("canceled");
    this.#looks.ask();
    return this.ended;
  }

  kill(): Promise<RunOutcome> {
    this.#kill.abort();
    return this.cancel();
  }

  async clear(selection: readonly TaskSelection[]): Promise<void> {
    if (this.#isOver || this.#isCanceled) {
      throw new DagRunError("bad-request", `clear: run ${this.runId} has ended; start it again`);
    }
    await this.#looks.between(() => this.#clear(selection));
    this.#looks.ask();
  }

  /** Starts instances that the runner has chosen. Their places are taken at once. */
  begin(chosen: readonly Candidate[]): void {
    for (const { task, mapIndex } of chosen) {
      this.#ready.delete(task.taskId, mapIndex);
      this.usage.take(task);
    }
    this.#begin(chosen).catch((error: unknown) => this.#fail(error));
  }

  async #begin(chosen: readonly Candidate[]): Promise<void> {
    const startDate = this.#host.now().toISOString();
    const news = chosen.map(({ task, mapIndex }) => {
      const one = this.#instances.get(task.taskId, mapIndex);
      const { ref, continues, maxTries } = one;
      const tryNumber = continues ? Math.max(1, one.tryNumber) : one.tryNumber + 1;
      return { ref, continues, maxTries, tryNumber, startDate };
    });
    const begun = await this.#prepared.records.begin(news);
    for (const [at, own] of chosen.entries()) {
      const attempt = begun[at];
      const one = this.#instances.get(own.task.taskId, own.mapIndex);
      if (attempt === undefined) {
        this.usage.give(own.task);
        await this.#reread(one);
        continue;
      }
      const { tryNumber } = attempt;
      one.change({ state: "queued", tryNumber, startDate: null, endDate: null, note: null });
      one.waitUntil(null);
      one.controller = new AbortController();
      one.stop = undefined;
      if (this.#isCanceled) one.end("canceled");
      this.#view.set(own.task.taskId, own.mapIndex, "running");
      this.#emit({ type: "attempt-started", attempt });
      this.#emit({ type: "instance", instance: one.summary });
      this.#runAttempt(own, one, attempt).catch((error: unknown) => this.#fail(error));
    }
    this.#looks.ask();
  }

  async #runAttempt({ task }: Candidate, one: LiveInstance, begun: AttemptSummary): Promise<void> {
    const { maxTaskRetryDelaySeconds } = this.#host;
    const { records, dag, plan } = this.#prepared;
    const { logicalDate } = this.#run;
    const { end, attempt } = await driveAttempt({
      ...this.#host,
      ...{ dag, task, one, attempt: begun, records, request: this.#request },
      run: { logicalDate, timeScale: plan.timeScale, maxTaskRetryDelaySeconds },
      emit: (event) => this.#emit(event),
      killSignal: this.#kill.signal,
    });
    const { taskId } = task;
    if (this.#facts.concerns(taskId)) await this.#facts.read(taskId, attempt.mapIndex);
    if (task.canSkipDownstream) await this.#looks.between(() => this.#rereadSkipped(taskId));
    this.usage.give(task);
    this.#view.set(taskId, attempt.mapIndex, end.state);
    this.#clock.add(one);
    this.#emit({ type: "attempt-ended", attempt });
    if (end.wait !== undefined) this.#emit({ type: "wait", wait: end.wait });
    this.#emit({ type: "instance", instance: one.summary });
    if (end.state === "deferred" || end.state === "awaiting_input") {
      this.#emit({ type: "notice", message: waitingNote([one], this.#past) });
    }
    if (end.state === "failed" && dag.failFast && !this.#isCanceled) {
      await this.#looks.between(() => this.#failFast(taskId));
    }
    this.#looks.ask();
  }

  async #look(): Promise<void> {
    if (this.#isOver) return;
    if (!this.#isCanceled) {
      for (let found = lookAtChanges(this.#view); found.length > 0; ) {
        await this.#carryOut(found);
        found = lookAtChanges(this.#view);
      }
      this.#host.fill();
    }
    if (!this.#looks.isAsked) await this.#endIfOver();
  }

  async #carryOut(transitions: readonly Transition[]): Promise<void> {
    const at = this.#host.now().toISOString();
    const changes = await this.#instances.writeTransitions(transitions, at);
    for (const one of transitions) {
      const { taskId } = one;
      if (one.type !== "ready") {
        applyTransition(this.#view, one);
        if (one.type === "expand") this.#emit({ type: "expanded", taskId, count: one.count });
      } else if (this.#view.compiled.tasks.get(taskId)?.task.isEmpty === true) {
        this.#view.set(taskId, one.mapIndex, "success");
      } else {
        applyTransition(this.#view, one);
        this.#ready.add(taskId, one.mapIndex);
      }
    }
    for (const { one } of changes) this.#emit({ type: "instance", instance: one.summary });
  }

  async #clear(selection: readonly TaskSelection[]): Promise<void> {
    const { compiled } = this.#view;
    const found = findCleared(compiled, this.#instances.summaries(), selection);
    const changes = clearedChanges(compiled, this.#instances, found);
    await this.#instances.write(changes);
    await this.#setRun({ clearNumber: this.#run.clearNumber + 1 }, null, null);
    for (const { one } of changes) {
      this.#view.set(one.ref.taskId, one.ref.mapIndex, null);
      this.#emit({ type: "instance", instance: one.summary });
    }
    for (const { taskId, mapIndex } of found.toRestart) {
      this.#instances.get(taskId, mapIndex).end("cleared");
    }
    for (const { taskId, mapIndex } of found.toHurry) {
      this.#instances.get(taskId, mapIndex).waitUntil(null);
      this.#view.lookAt(taskId);
    }
  }

  async #failFast(taskId: string): Promise<void> {
    const { transitions, toEnd } = failFast(this.#view, taskId);
    for (const one of transitions) {
      if (one.type === "state") this.#ready.delete(one.taskId, one.mapIndex);
    }
    await this.#carryOut(transitions);
    for (const one of toEnd) this.#instances.get(one.taskId, one.mapIndex).end("fail-fast");
  }

  async #setRun(
    changes: Partial<PreparedRun["run"]>,
    pause: "canceled" | "waiting" | null,
    note: string | null,
  ): Promise<void> {
    await this.#prepared.records.setRun(changes, { pause, note });
    this.#run = { ...this.#run, ...changes };
    const plan = { ...this.#prepared.plan, pause, note };
    this.#emit({ type: "run", run: runSummary(this.#run, plan) });
  }

  async #endIfOver(): Promise<void> {
    if (this.usage.running > 0) return;
    if (this.#isCanceled) return await this.#end("canceled", null);
    if (this.#ready.size > 0) return; // other runs have the places: it is filled when one is free
    if (this.#clock.isWaiting) return;
    const end = runEnd(this.#view) ?? (isStuck(this.#view) ? STUCK : undefined);
    if (end !== undefined) return await this.#end(end.state, end.reason);
    await this.#end("waiting", waitingNote([...this.#instances.all()], this.#past));
  }

  async #end(state: Exclude<RunState, "queued" | "running">, note: string | null): Promise<void> {
    this.#isOver = true;
    this.#clock.stop();
    const unstarted = [...this.#instances.all()].filter((one) => one.state === "scheduled");
    await this.#instances.write(unstarted.map((one) => ({ one, changes: { state: null } })));
    const endDate = this.#host.now().toISOString();
    if (state === "success" || state === "failed") {
      await this.#setRun({ state, endDate }, null, note);
    } else await this.#setRun({}, state, note);
    this.#host.ended(this);
    this.#resolve({ state, note, instances: this.#instances.summaries() });
  }

  /** The store fails: nothing more can be written, so nothing more is done. */
  #fail(error: unknown): void {
    for (const one of this.#instances.all()) one.end("canceled");
    this.#isOver = true;
    this.#clock.stop();
    this.#host.ended(this);
    this.#reject(error);
  }

  #isWaiting(taskId: string, mapIndex: number): boolean {
    const due = this.#instances.find(taskId, mapIndex)?.dueMs;
    return due !== undefined && this.#host.now().getTime() < due;
  }

  /** Another task's word has reached the store: the state is as it says. */
  async #reread(one: LiveInstance): Promise<void> {
    const row = await this.#host.store.taskInstances.get(one.ref);
    if (row === undefined) return;
    one.replace(row);
    this.#ready.delete(one.ref.taskId, one.ref.mapIndex);
    this.#view.set(one.ref.taskId, one.ref.mapIndex, row.state as TaskState);
    this.#emit({ type: "instance", instance: one.summary });
  }

  /** What a branch has skipped while it ran. */
  async #rereadSkipped(branch: string): Promise<void> {
    const { dagId, runId } = this;
    const rows = await this.#host.store.taskInstances.list({ dagId, runIds: [runId] });
    for (const row of rows) {
      const one = this.#instances.find(row.taskId, row.mapIndex);
      if (one === undefined || row.state !== "skipped" || one.state === "skipped") continue;
      await this.#instances.write([{ one, changes: { note: `${branch} skips it` } }]);
      await this.#reread(one);
    }
  }

  #emit(event: RunEvent): void {
    this.#request.onEvent?.(event);
    this.#host.emit(event, this);
  }
}
