import type { SchemaVersion } from "@parlance/protocol";
import type { ExecuteTaskRequest, TaskResult } from "../coordinators/base-coordinator.ts";
import { TaskCommandError } from "../coordinators/task-command.ts";
import type { LaunchGate } from "../launch/launch-gate.ts";
import { StartError } from "../launch/start-error.ts";
import type { StartTaskProcessOptions } from "../launch/start-options.ts";
import { startTaskProcess } from "../launch/start-task-process.ts";
import type { StartedTask } from "../launch/started-task.ts";
import { LogPump } from "../logs/log-pump.ts";
import { supervisorRecord } from "../logs/log-record.ts";
import { SecretMasker } from "../logs/secret-masker.ts";
import { StoreError } from "../store/task-store.ts";
import { unlessAborted, within } from "../time-limit.ts";
import type { Body } from "./answers.ts";
import { AttemptRecord } from "./attempt-record.ts";
import { knownDagRun, recordDagRun } from "./dag-run-body.ts";
import { type FinalState, finalState } from "./final-state.ts";
import { notRunRecord, notRunResult } from "./not-run.ts";
import { numberOf } from "./read-body.ts";
import { buildStartupDetails } from "./startup-details.ts";
import { beginAttempt, endAttempt } from "./stored-attempt.ts";
import {
  SupervisedTask,
  type SupervisionLimits,
  type SupervisionOutcome,
} from "./supervised-task.ts";
import { shouldRetry, type TaskInstanceSpec } from "./task-instance.ts";
import type { VersionBridge } from "./version-bridge.ts";

/** How long the last output of a failed start may take to reach the log, in milliseconds. */
const LAST_OUTPUT_MS = 1_000;

/** Everything one attempt needs. */
export interface RunAttemptOptions {
  readonly request: ExecuteTaskRequest;
  /** What the runtime speaks. */
  readonly schemaVersion: SchemaVersion;
  /** What the supervisor itself speaks. */
  readonly headVersion: SchemaVersion;
  /** How to start the process; the attempt adds its signal and its hooks. */
  readonly launch: Omit<
    StartTaskProcessOptions,
    "signal" | "killSignal" | "onSpawn" | "onForeignConnection"
  >;
  /** Where the launch waits for its turn. */
  readonly gate: LaunchGate;
  readonly limits: SupervisionLimits;
  readonly maxLogLineBytes: number;
  readonly logSinkTimeoutMs: number | undefined;
  readonly strictAirflow?: boolean | undefined;
  readonly now: () => Date;
}

/** Runs one attempt from the launch to the verdict. */
export async function runAttempt(options: RunAttemptOptions): Promise<TaskResult> {
  return await new AttemptRun(options).run();
}

class AttemptRun {
  readonly #options: RunAttemptOptions;
  readonly #pump: LogPump;
  readonly #masker: SecretMasker;
  /** When its launch had its turn. */
  #startDate: Date;
  readonly #streams: Promise<void>[] = [];
  /** One of its own: on a signal that many attempts share, Node warns of their many listeners. */
  readonly #signal: AbortSignal | undefined;
  readonly #killSignal: AbortSignal | undefined;
  #beganAtMs = performance.now();
  /** With what the store knows of it, as soon as that is read. */
  #taskInstance: TaskInstanceSpec;

  constructor(options: RunAttemptOptions) {
    this.#options = options;
    this.#startDate = options.now();
    this.#taskInstance = options.request.taskInstance;
    const { signal, killSignal, masker } = options.request;
    this.#masker = masker ?? new SecretMasker();
    this.#signal = signal && AbortSignal.any([signal]);
    this.#killSignal = killSignal && AbortSignal.any([killSignal]);
    this.#pump = new LogPump({
      sink: options.request.logSink,
      masker: this.#masker,
      maxLineBytes: options.maxLogLineBytes,
      sinkTimeoutMs: options.logSinkTimeoutMs,
      now: options.now,
    });
    const hurry = (): void => this.#pump.hurry(LAST_OUTPUT_MS);
    if (this.#killSignal?.aborted === true) hurry();
    else this.#killSignal?.addEventListener("abort", hurry, { once: true });
  }

  async run(): Promise<TaskResult> {
    let task: StartedTask | undefined;
    let result: TaskResult;
    let isRecorded = true;
    try {
      task = await this.#launch();
      result = await this.#supervise(task);
    } catch (error) {
      if (!isNotRun(error)) {
        // A fault of the caller's request, say: the instance must not stay "running" all the same.
        const state = shouldRetry(this.#options.request.taskInstance) ? "up_for_retry" : "failed";
        await task?.close();
        await this.#recordEnd(state);
        await this.#pump.flush();
        throw error;
      }
      result = this.#failure(error);
      isRecorded = !(error instanceof TaskCommandError); // it found a state that is not ours to change
    } finally {
      await task?.close();
    }
    await within(LAST_OUTPUT_MS, Promise.all(this.#streams));
    await this.#pump.flush();
    // The verdict stands without it.
    if (isRecorded) await this.#recordEnd(result.finalState);
    const logError = this.#pump.sinkError;
    return logError === undefined ? result : { ...result, logError: { ...logError } };
  }

  /** Waits for its turn; only then it is running, and its clock begins. */
  async #launch(): Promise<StartedTask> {
    const leave = await this.#options.gate.enter(this.#signals);
    this.#startDate = this.#options.now();
    this.#beganAtMs = performance.now();
    const prepared = unlessAborted(this.#prepareStore(), this.#signals, () => {
      const said = "preparing the store: it has not answered, and the coordinator was told to stop";
      return new StoreError("store-failed", said);
    });
    prepared.catch(() => {}); // It is awaited below, maybe after the start has failed.
    try {
      if (this.#options.request.resume !== undefined) await prepared; // there may be nothing to resume
      const task = await this.#start();
      return await prepared.then(
        () => task,
        async (error: unknown) => {
          await task.close();
          throw error;
        },
      );
    } finally {
      leave();
    }
  }

  #start(): Promise<StartedTask> {
    const { launch, now } = this.#options;
    return startTaskProcess({
      ...launch,
      ...(this.#signal && { signal: this.#signal }),
      ...(this.#killSignal && { killSignal: this.#killSignal }),
      onSpawn: ({ spawnedAtMs, stdout, stderr }) => {
        this.#beganAtMs = spawnedAtMs;
        this.#streams.push(
          this.#pump.attach("stdout", stdout),
          this.#pump.attach("stderr", stderr),
        );
      },
      onForeignConnection: ({ channel, peer }) => {
        const event = `a connection to ${channel} from ${peer.address}:${peer.port} is not the task's: refused`;
        this.#pump.write(supervisorRecord(now(), "warning", event));
      },
    });
  }

  async #supervise(task: StartedTask): Promise<TaskResult> {
    const { request, schemaVersion: runtime, headVersion, limits, now } = this.#options;
    this.#streams.push(this.#pump.attach("logs", task.logs));
    const bridge = headVersion === runtime ? undefined : await loadBridge(headVersion, runtime);
    const startupDetails = buildStartupDetails({
      schemaVersion: headVersion,
      taskInstance: this.#taskInstance,
      dagRun: await knownDagRun(request.store, request.taskInstance, request.dagRun),
      argBindings: request.argBindings,
      startDate: this.#startDate,
    });
    await recordDagRun(request.store, startupDetails);
    let supervised: SupervisedTask | undefined;
    const attempt = new AttemptRecord({
      schemaVersion: headVersion,
      store: request.store,
      masker: this.#masker,
      strictAirflow: this.#options.strictAirflow,
      startupDetails,
      now,
      onReport: () => supervised?.onReport(),
      onExecutionTimeout: (seconds) => supervised?.onExecutionTimeout(seconds),
    });
    supervised = new SupervisedTask({
      task,
      comm: request.interpose?.(task.comm) ?? task.comm,
      attempt,
      pump: this.#pump,
      limits,
      signal: this.#signal,
      killSignal: this.#killSignal,
      heartbeat: request.heartbeat,
      onMessage: request.onMessage,
      onFrame: request.onFrame,
      bridge,
    });
    return this.#verdict(attempt, await supervised.run(startupDetails));
  }

  #verdict(attempt: AttemptRecord, outcome: SupervisionOutcome): TaskResult {
    const { exitCode, fault, serverTerminated } = outcome;
    const state = finalState({
      // Whoever breaks the link has not ended well, whatever it says.
      exitCode: fault !== undefined && exitCode === 0 ? 1 : exitCode,
      reported: serverTerminated ? "SERVER_TERMINATED" : attempt.reported,
      shouldRetry: shouldRetry(this.#options.request.taskInstance),
    });
    const { terminal } = attempt;
    const retry = terminal?.["type"] === "RetryTask" ? this.#retryOf(terminal) : undefined;
    return {
      finalState: state,
      exitCode,
      durationMs: this.#elapsedMs(),
      ...(terminal && { terminal }),
      ...(retry && { retry }),
      ...(fault && { error: fault }),
    };
  }

  /** A start that failed, or a store that can't be written to: nothing was reported. */
  #failure(error: NotRun): TaskResult {
    const { request, now } = this.#options;
    this.#pump.write(notRunRecord(now(), error));
    const exitCode = (error instanceof StartError ? error.exitCode : undefined) ?? null;
    return notRunResult(request.taskInstance, error, { exitCode, durationMs: this.#elapsedMs() });
  }

  async #prepareStore(): Promise<void> {
    try {
      this.#taskInstance = await beginAttempt(this.#options.request, this.#startDate);
    } catch (cause) {
      if (cause instanceof StoreError || cause instanceof TaskCommandError) throw cause;
      const said = cause instanceof Error ? cause.message : String(cause);
      throw new StoreError("store-failed", `preparing the store: ${said}`, { cause });
    }
  }

  get #signals(): readonly (AbortSignal | undefined)[] {
    return [this.#signal, this.#killSignal];
  }

  #recordEnd(state: FinalState): Promise<void> {
    const { request, now } = this.#options;
    const facts = { state, startDate: this.#startDate, endDate: now() };
    return endAttempt(request, this.#taskInstance, facts);
  }

  /** A reason is mostly the text of an exception. */
  #retryOf(terminal: Body): NonNullable<TaskResult["retry"]> {
    const delaySeconds = numberOf(terminal["retry_delay_seconds"]);
    const reason = terminal["retry_reason"];
    return {
      ...(delaySeconds !== null && { delaySeconds }),
      ...(typeof reason === "string" && { reason: this.#masker.maskText(reason) }),
    };
  }

  #elapsedMs(): number {
    return performance.now() - this.#beganAtMs;
  }
}

/** The schema itself is 0.1 MB of source, and most runtimes speak the supervisor's own version. */
async function loadBridge(head: SchemaVersion, runtime: SchemaVersion): Promise<VersionBridge> {
  const { bridgeBetween } = await import("./version-bridge.ts");
  return bridgeBetween(head, runtime);
}

/** Errors that say why an attempt did not run. */
type NotRun = StartError | StoreError | TaskCommandError;

function isNotRun(error: unknown): error is NotRun {
  return (
    error instanceof StartError || error instanceof StoreError || error instanceof TaskCommandError
  );
}
