import { Timestamp } from "@parlance/framing";
import { Bundle, type DagProgram } from "../bundle.ts";
import type { TaskClient } from "../client/task-client.ts";
import type { LogLevel } from "../logs/level-filter.ts";
import type { NoInputs, TaskArguments, TaskHandler } from "../task-handler.ts";
import { taskScopeOf } from "./answers/states.ts";
import { CapturedLogs } from "./captured-logs.ts";
import { runTry, type TryRecord } from "./memory-link.ts";
import { type InstanceKey, type MemoryRun, MemoryState } from "./memory-state.ts";
import { readEnd, type TaskOutcomeState } from "./read-outcome.ts";
import { askedQuestion, emittedEvent } from "./read-requests.ts";
import { type ResolvedTask, resolveTask } from "./resolve-task.ts";
import { type AirflowSeed, addSeed } from "./seed.ts";
import { runOf, startupDetails, type TaskInstanceOptions } from "./startup-details.ts";
import type { TaskOutcome } from "./task-outcome.ts";

/** How a task is run in a test. */
export interface TestTaskOptions<Inputs extends object = object> extends TaskInstanceOptions {
  /**
   * What a bare handler gets as `inputs`, or the task of a `dag(…)` in place of what it declares; in a
   * bundle the task says itself where they come from.
   */
  readonly inputs?: Inputs | undefined;
  /** Results of tasks that ran before it in the same run, by task id; of a mapped one in a `dag(…)` the list. */
  readonly xcoms?: { readonly [taskId: string]: unknown } | undefined;
  /** Values that an earlier try left in the task's state store. */
  readonly taskState?: { readonly [key: string]: unknown } | undefined;
  /** Stops the task as Airflow does, with SIGTERM. */
  readonly stop?: AbortSignal | undefined;
  /** @default "debug" */
  readonly logLevel?: LogLevel | undefined;
}

const RUN_ID = "manual__2026-01-01T00:00:00+00:00";

/**
 * An Airflow in memory, for unit tests of handlers: no process, no socket, no network. It runs
 * handlers by the runtime that runs them in earnest, with its client, codec and checks, and keeps
 * what they leave, so that the next task finds it.
 *
 * `console`, `process.exit` and uncaught errors are left to the test.
 */
export class TestAirflow {
  readonly #state: MemoryState = new MemoryState();

  constructor(seed: AirflowSeed = {}) {
    addSeed(this.#state, seed);
  }

  /** The Variables as they are now. */
  get variables(): ReadonlyMap<string, string> {
    return this.#state.variables;
  }

  /** Adds to what is there. */
  add(seed: AirflowSeed): void {
    addSeed(this.#state, seed);
  }

  /**
   * Runs one try of a task to its end.
   *
   * @param target - a handler, or a bundle or a `dag(…)` with the task: `dagId` and `taskId` say which,
   * unless it is the only one
   * @returns how it ended; also for a handler that throws
   * @throws TypeError when it is not clear which task is meant
   */
  async run<Inputs extends object = NoInputs>(
    target: Bundle | DagProgram | TaskHandler<unknown, Inputs>,
    options: TestTaskOptions<Inputs> = {},
  ): Promise<TaskOutcome> {
    const task = resolveTask(target, options);
    const instance = instanceOf(task, options);
    this.#ensureRun(instance, options);
    await this.#seedTask(instance, options, task.bundle);
    const logs = new CapturedLogs(options.logLevel ?? "debug");
    const events = this.#state.assetEvents.length;
    const record = await this.#try(task, options, logs);
    const end = record.terminal.at(-1);
    if (end === undefined) throw notReported(logs);
    const facts = readEnd(end);
    this.#remember(instance, facts.state, options.tryNumber ?? 1);
    const xcoms = await this.#xcomsOf(instance);
    const hasFailed = facts.state === "failed" || facts.state === "up_for_retry";
    return {
      ...facts,
      returnValue: xcoms["return_value"],
      xcoms,
      logs: logs.records,
      error: hasFailed ? logs.failure : undefined,
      assetEvents: this.#state.assetEvents.slice(events).map(emittedEvent),
      question: askedQuestion(record.requests),
      taskState: Object.fromEntries(this.#state.states.get(taskScopeOf(instance)) ?? []),
      skippedTasks: record.skippedTasks,
      requests: record.requests.map(({ type }) => String(type)),
    };
  }

  #remember(instance: InstanceKey, state: TaskOutcomeState, tryNumber: number): void {
    const now = Timestamp.fromDate(new Date());
    this.#state.setInstance({ ...instance, state, tryNumber, startDate: now, endDate: now });
  }

  /** What a handler is called with, to call it, or code that it shares, directly. */
  arguments<Inputs extends object = NoInputs>(
    options: TestTaskOptions<Inputs> = {},
  ): Promise<TaskArguments<Inputs>> {
    return new Promise((resolve, reject) => {
      const handler: TaskHandler<unknown, Inputs> = (given) => {
        resolve(given);
        return new Promise(() => {}); // the task goes on, in the hands of the test
      };
      this.run(handler, options).then(
        () => reject(new Error("the task ended before its handler was called")),
        reject,
      );
    });
  }

  async #try(task: ResolvedTask, options: TestTaskOptions, logs: CapturedLogs): Promise<TryRecord> {
    const instance = instanceOf(task, options);
    const { bundle } = task;
    const details = startupDetails(this.#ensureRun(instance, options), task.taskId, options);
    return runTry({ bundle, details, instance, state: this.#state, logs, stop: options.stop });
  }

  #ensureRun({ dagId, runId }: InstanceKey, options: TaskInstanceOptions): MemoryRun {
    const run = this.#state.run(dagId, runId) ?? runOf(dagId, runId, options);
    this.#state.setRun(run);
    return run;
  }

  /** Writes what other tasks are to have left, by their own clients. */
  async #seedTask(instance: InstanceKey, options: TestTaskOptions, bundle: Bundle): Promise<void> {
    const dag = bundle.dags.find(({ dagId }) => dagId === instance.dagId);
    const mapped = dag?.model.tasks.filter(({ expand }) => expand !== null) ?? [];
    for (const [taskId, value] of Object.entries(options.xcoms ?? {})) {
      const isSeries = Array.isArray(value) && mapped.some((task) => task.taskId === taskId);
      await this.#as(instance, async (client) => {
        const all = isSeries
          ? value.map((item, index) => [item, index] as const)
          : [[value, null] as const];
        for (const [item, mapIndex] of all) {
          await client.setXCom(item as null, { taskId, key: "return_value", mapIndex });
        }
      });
    }
    const values = Object.entries(options.taskState ?? {});
    if (values.length > 0) this.#state.states.set(taskScopeOf(instance), new Map(values));
  }

  /** What the task left, read as a TypeScript task reads it. */
  async #xcomsOf(instance: InstanceKey): Promise<Record<string, unknown>> {
    const { dagId, runId, taskId, mapIndex } = instance;
    const own = [...this.#state.xcoms.values()].filter((xcom) => {
      const isRun = xcom.dagId === dagId && xcom.runId === runId;
      return isRun && xcom.taskId === taskId && xcom.mapIndex === mapIndex;
    });
    const found: Record<string, unknown> = {};
    if (own.length === 0) return found;
    await this.#as(instance, async (client) => {
      for (const { key } of own) found[key] = await client.getXCom({ taskId, key, mapIndex });
    });
    return found;
  }

  /** Does something with the client of a task in the same run. @throws what the work throws */
  async #as(
    { dagId, runId }: InstanceKey,
    work: (client: TaskClient) => Promise<unknown>,
  ): Promise<void> {
    const logs = new CapturedLogs("error");
    const taskId = "parlance_testing";
    const bundle = new Bundle().task(
      dagId,
      taskId,
      async ({ client }) => void (await work(client)),
    );
    await this.#try({ bundle, dagId, taskId }, { runId }, logs);
    if (logs.failure !== undefined) throw logs.failure;
  }
}

function instanceOf(task: ResolvedTask, options: TaskInstanceOptions): InstanceKey {
  const { dagId, taskId } = task;
  return { dagId, taskId, runId: options.runId ?? RUN_ID, mapIndex: options.mapIndex ?? -1 };
}

function notReported({ records }: CapturedLogs): Error {
  const said = records.map(({ level, event }) => `${level}: ${event}`).join("\n");
  return new Error(`the task ended without a report; its log:\n${said}`);
}
