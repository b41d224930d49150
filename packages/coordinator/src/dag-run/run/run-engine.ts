import type { SqliteTaskStore } from "../../store/sqlite-task-store.ts";
import type { TaskInstanceChanges } from "../../store/task-instance-store.ts";
import type { AttemptSummary, RunState, TaskState } from "../history/history-types.ts";
import { runSummary } from "../history/run-rows.ts";
import { type CompiledTask, compileDag } from "../rules/compiled-dag.ts";
import { lookAtChanges, STUCK } from "../rules/evaluate-run.ts";
import { failFast } from "../rules/fail-fast.ts";
import type { Candidate } from "../rules/limits.ts";
import { isStuck, runEnd } from "../rules/run-end.ts";
import { RunView } from "../rules/run-view.ts";
import type { Transition } from "../rules/transition.ts";
import { applyTransition } from "../rules/transition.ts";
import { afterAttempt } from "./after-attempt.ts";
import { runDagAttempt } from "./attempt-run.ts";
import { findCleared, triesAfterClear } from "./clear-tasks.ts";
import { DagRunError } from "./dag-run-error.ts";
import { LiveInstance } from "./live-instance.ts";
import type { PreparedRun } from "./prepare-run.ts";
import { ReadyQueue } from "./ready-queue.ts";
import { RunFactsCache } from "./run-facts.ts";
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

/** What a run needs of its runner. */
export interface EngineHost {
  readonly store: SqliteTaskStore;
  readonly folder: string;
  readonly keepFrames: boolean;
  readonly maxTaskRetryDelaySeconds: number | undefined;
  readonly now: () => Date;
  /** Something may be started, or a place has become free. */
  fill(): void;
  emit(event: RunEvent, run: ActiveRun): void;
  /** The run stands still: its lock is given back. */
  ended(run: RunEngine): void;
}

type Change = { readonly one: LiveInstance; readonly changes: TaskInstanceChanges };

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
  readonly #instances = new Map<string, LiveInstance>();
  readonly #ready: ReadyQueue;
  readonly #clock: WaitClock;
  readonly #kill = new AbortController();
  #run: PreparedRun["run"];
  #isCanceled = false;
  #isOver = false;
  #isDirty = false;
  #working: Promise<void> | undefined;
  #resolve: (outcome: RunOutcome) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(host: EngineHost, request: StartRunRequest, prepared: PreparedRun) {
    const { dag, run, instances } = prepared;
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
    this.#clock = new WaitClock(host.now, (taskId) => {
      this.#view.lookAt(taskId);
      this.#advance();
    });
    for (const one of instances) this.#instances.set(keyOf(one.ref.taskId, one.ref.mapIndex), one);
    this.#view = new RunView(
      dag,
      instances.map((one) => ({ ...one.ref, state: one.state })),
      {
        ...this.#facts.facts,
        isWaiting: (taskId, mapIndex) => this.#isWaiting(taskId, mapIndex),
        waitsForPast: (taskId) => this.#past.get(taskId),
      },
    );
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
    const { dag } = this.#prepared;
    for (const task of dag.tasks) {
      const { logicalDate } = this.#run;
      const reason = await waitsForPast(this.#host.store, this.dagId, logicalDate, task);
      if (reason !== undefined) this.#past.set(task.taskId, reason);
    }
    for (const { ref, state } of this.#instances.values()) {
      if (state !== null && this.#facts.concerns(ref.taskId)) {
        await this.#facts.read(ref.taskId, ref.mapIndex);
      }
    }
    for (const one of this.#instances.values()) this.#clock.add(one);
    if (this.#request.clear !== undefined) await this.#clear(this.#request.clear);
    await this.#goOn();
    this.#view.lookAtAll();
    this.#advance();
  }

  cancel(): Promise<RunOutcome> {
    if (!this.#isOver) {
      this.#isCanceled = true;
      for (const one of this.#instances.values()) this.#stop(one, "canceled");
      this.#advance();
    }
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
    await this.#clear(selection);
    this.#advance();
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
      const one = this.#instance(task.taskId, mapIndex);
      const { ref, continues, maxTries } = one;
      const tryNumber = continues ? Math.max(1, one.tryNumber) : one.tryNumber + 1;
      return { ref, continues, maxTries, tryNumber, startDate };
    });
    const begun = await this.#prepared.records.begin(news);
    for (const [at, attempt] of begun.entries()) {
      const own = chosen[at] as Candidate;
      const one = this.#instance(own.task.taskId, own.mapIndex);
      if (attempt === undefined) {
        this.usage.give(own.task);
        await this.#reread(one);
        continue;
      }
      one.change({
        state: "running",
        tryNumber: attempt.tryNumber,
        startDate,
        endDate: null,
        note: null,
      });
      one.waitUntil(null);
      one.continues = false;
      this.#view.set(own.task.taskId, own.mapIndex, "running");
      this.#emit({ type: "attempt-started", attempt });
      this.#emit({ type: "instance", instance: one.summary });
      this.#runAttempt(own, one, attempt).catch((error: unknown) => this.#fail(error));
    }
    this.#advance();
  }

  async #runAttempt(
    { task }: Candidate,
    one: LiveInstance,
    attempt: AttemptSummary,
  ): Promise<void> {
    const { store, folder, keepFrames, now } = this.#host;
    const { records, dag, plan } = this.#prepared;
    const controller = new AbortController();
    one.controller = controller;
    one.stop = undefined;
    if (this.#isCanceled) this.#stop(one, "canceled");
    const { maxTries } = one;
    const { result, hasLog, hasFrames } = await runDagAttempt({
      ...{ dag, task, attempt, maxTries, store, folder, keepFrames, now },
      ...{ request: this.#request, emit: (event: RunEvent) => this.#emit(event) },
      ...{ signal: controller.signal, killSignal: this.#kill.signal },
    });
    one.controller = undefined;
    const row = await store.taskInstances.get(one.ref);
    const at = now().toISOString();
    const { logicalDate } = this.#run;
    const { timeScale } = plan;
    const { maxTaskRetryDelaySeconds } = this.#host;
    const run = { logicalDate, timeScale, maxTaskRetryDelaySeconds };
    const end = afterAttempt({
      ...{ attempt, task, maxTries, result, row, stop: one.stop, now: at, run },
    });
    const ended: AttemptSummary = {
      ...attempt,
      ...{ endDate: row?.endDate ?? at, state: attemptState(result.finalState) },
      ...{ exitCode: result.exitCode, durationMs: result.durationMs },
      ...{ error: result.error ?? null, hasLog, hasFrames },
    };
    await records.end(ended, end.changes, end.wait);
    if (row !== undefined) one.replace({ ...row, ...end.changes });
    one.continues = end.state === "up_for_reschedule";
    one.waitUntil(end.wait?.dueAt ?? null);
    if (this.#facts.concerns(task.taskId)) await this.#facts.read(task.taskId, attempt.mapIndex);
    await this.#rereadSkipped(one);
    this.usage.give(task);
    this.#view.set(task.taskId, attempt.mapIndex, end.state);
    this.#clock.add(one);
    this.#emit({ type: "attempt-ended", attempt: ended });
    if (end.wait !== undefined) this.#emit({ type: "wait", wait: end.wait });
    this.#emit({ type: "instance", instance: one.summary });
    if (end.state === "deferred" || end.state === "awaiting_input") this.#noticeWaiting(one);
    if (end.state === "failed" && dag.failFast && !this.#isCanceled)
      await this.#failFast(task.taskId);
    this.#advance();
  }

  /** Asks for another look; there is one at a time. */
  #advance(): void {
    this.#isDirty = true;
    this.#working ??= this.#work()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#working = undefined;
        if (this.#isDirty && !this.#isOver) this.#advance();
      });
  }

  async #work(): Promise<void> {
    while (this.#isDirty && !this.#isOver) {
      this.#isDirty = false;
      if (!this.#isCanceled) {
        for (let found = lookAtChanges(this.#view); found.length > 0; ) {
          await this.#carryOut(found);
          found = lookAtChanges(this.#view);
        }
        this.#host.fill();
      }
      if (!this.#isDirty) await this.#endIfOver();
    }
  }

  async #carryOut(transitions: readonly Transition[]): Promise<void> {
    const at = this.#host.now().toISOString();
    const changes: Change[] = [];
    const gone: LiveInstance["ref"][] = [];
    for (const transition of transitions) {
      if (transition.type === "expand") {
        const { taskId, mapIndexes, replacesPlaceholder } = transition;
        const maxTries = this.#task(taskId)?.task.retries ?? 0;
        if (replacesPlaceholder) gone.push(this.#refOf(taskId, -1));
        for (const mapIndex of mapIndexes) {
          const changes_ = { state: null, maxTries };
          const one = LiveInstance.fresh(this.#refOf(taskId, mapIndex), changes_);
          changes.push({ one, changes: changes_ });
        }
        continue;
      }
      const one = this.#instance(transition.taskId, transition.mapIndex);
      if (transition.type === "state") {
        const { state, reason: note } = transition;
        changes.push({ one, changes: { state, note, startDate: at, endDate: at } });
      } else if (this.#task(transition.taskId)?.task.isEmpty === true) {
        changes.push({ one, changes: { state: "success", startDate: at, endDate: at } });
      } else if (!one.continues) changes.push({ one, changes: { state: "scheduled" } });
    }
    await this.#write(changes, gone);
    for (const transition of transitions) this.#apply(transition);
    for (const { one } of changes) this.#emit({ type: "instance", instance: one.summary });
  }

  #apply(transition: Transition): void {
    const { taskId } = transition;
    const isEmpty = this.#task(taskId)?.task.isEmpty === true;
    if (transition.type === "ready" && isEmpty) {
      this.#view.set(taskId, transition.mapIndex, "success");
      return;
    }
    applyTransition(this.#view, transition);
    if (transition.type === "ready") this.#ready.add(taskId, transition.mapIndex);
    if (transition.type !== "expand") return;
    if (transition.replacesPlaceholder) this.#instances.delete(keyOf(taskId, -1));
    this.#emit({ type: "expanded", taskId, count: transition.count });
  }

  async #write(
    changes: readonly Change[],
    gone: readonly LiveInstance["ref"][] = [],
  ): Promise<void> {
    await this.#prepared.records.change(
      changes.map(({ one, changes: what }) => ({ ref: one.ref, changes: what })),
      gone,
    );
    for (const { one, changes: what } of changes) {
      one.change(what);
      this.#instances.set(keyOf(one.ref.taskId, one.ref.mapIndex), one);
    }
  }

  async #clear(selection: readonly TaskSelection[]): Promise<void> {
    const { compiled } = this.#view;
    const all = [...this.#instances.values()];
    const found = findCleared(
      compiled,
      all.map(({ summary }) => summary),
      selection,
    );
    const changes = found.toClear.map((summary): Change => {
      const one = this.#instance(summary.taskId, summary.mapIndex);
      const maxTries = triesAfterClear(compiled, summary);
      const reset = { state: null, note: null, startDate: null, endDate: null, maxTries };
      return { one, changes: reset };
    });
    await this.#write(changes);
    this.#run = { ...this.#run, clearNumber: this.#run.clearNumber + 1 };
    await this.#prepared.records.setRun(
      { clearNumber: this.#run.clearNumber },
      { pause: null, note: null },
    );
    for (const { one } of changes) {
      this.#view.set(one.ref.taskId, one.ref.mapIndex, null);
      this.#emit({ type: "instance", instance: one.summary });
    }
    for (const { taskId, mapIndex } of found.toRestart) {
      this.#stop(this.#instance(taskId, mapIndex), "cleared");
    }
    for (const { taskId, mapIndex } of found.toHurry) {
      this.#instance(taskId, mapIndex).waitUntil(null);
      this.#view.lookAt(taskId);
    }
  }

  async #failFast(taskId: string): Promise<void> {
    const { transitions, toEnd } = failFast(this.#view, taskId);
    for (const one of transitions) {
      if (one.type === "state") this.#ready.delete(one.taskId, one.mapIndex);
    }
    await this.#carryOut(transitions);
    for (const one of toEnd) this.#stop(this.#instance(one.taskId, one.mapIndex), "fail-fast");
  }

  /** The run is running, in the store as well. */
  async #goOn(): Promise<void> {
    await this.#setRun({ state: "running", endDate: null }, null, null);
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
    await this.#end("waiting", waitingNote([...this.#instances.values()], this.#past));
  }

  async #end(state: Exclude<RunState, "queued" | "running">, note: string | null): Promise<void> {
    this.#isOver = true;
    this.#clock.stop();
    const unstarted = [...this.#instances.values()].filter((one) => one.state === "scheduled");
    await this.#write(unstarted.map((one) => ({ one, changes: { state: null } })));
    const endDate = this.#host.now().toISOString();
    if (state === "success" || state === "failed")
      await this.#setRun({ state, endDate }, null, note);
    else await this.#setRun({}, state, note);
    this.#host.ended(this);
    this.#resolve({ state, note, instances: this.#summaries() });
  }

  /** The store fails: nothing more can be written, so nothing more is done. */
  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#clock.stop();
    for (const one of this.#instances.values()) this.#stop(one, "canceled");
    this.#host.ended(this);
    this.#reject(error);
  }

  #summaries(): RunOutcome["instances"] {
    const place = (taskId: string): number => this.#task(taskId)?.place ?? 0;
    return [...this.#instances.values()]
      .map(({ summary }) => summary)
      .sort((a, b) => place(a.taskId) - place(b.taskId) || a.mapIndex - b.mapIndex);
  }

  #stop(one: LiveInstance, stop: NonNullable<LiveInstance["stop"]>): void {
    if (one.controller === undefined) return;
    one.stop ??= stop;
    one.controller.abort();
  }

  #isWaiting(taskId: string, mapIndex: number): boolean {
    const due = this.#instances.get(keyOf(taskId, mapIndex))?.dueMs;
    return due !== undefined && this.#host.now().getTime() < due;
  }

  #noticeWaiting(one: LiveInstance): void {
    this.#emit({ type: "notice", message: waitingNote([one], this.#past) });
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
  async #rereadSkipped({ ref }: LiveInstance): Promise<void> {
    if (this.#task(ref.taskId)?.task.canSkipDownstream !== true) return;
    const rows = await this.#host.store.taskInstances.list({
      dagId: this.dagId,
      runIds: [this.runId],
    });
    for (const row of rows) {
      const one = this.#instances.get(keyOf(row.taskId, row.mapIndex));
      if (one === undefined || row.state !== "skipped" || one.state === "skipped") continue;
      const note = `${ref.taskId} skips it`;
      await this.#write([{ one, changes: { state: "skipped", note } }]);
      await this.#reread(one);
    }
  }

  #instance(taskId: string, mapIndex: number): LiveInstance {
    const known = this.#instances.get(keyOf(taskId, mapIndex));
    if (known !== undefined) return known;
    return LiveInstance.fresh(this.#refOf(taskId, mapIndex), {});
  }

  #task(taskId: string): CompiledTask | undefined {
    return this.#view.compiled.tasks.get(taskId);
  }

  #refOf(taskId: string, mapIndex: number): LiveInstance["ref"] {
    return { dagId: this.dagId, runId: this.runId, taskId, mapIndex };
  }

  #emit(event: RunEvent): void {
    this.#request.onEvent?.(event);
    this.#host.emit(event, this);
  }
}

function attemptState(state: string): TaskState {
  return state === "SERVER_TERMINATED" ? "failed" : (state as TaskState);
}

function keyOf(taskId: string, mapIndex: number): string {
  return `${mapIndex} ${taskId}`;
}
