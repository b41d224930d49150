import { isSchemaVersion, SCHEMA_VERSIONS, type SchemaVersion } from "@parlance/protocol";
import { buildChildEnvironment } from "../environment.ts";
import { LaunchGate, sharedLaunchGate } from "../launch/launch-gate.ts";
import { DEFAULT_KILL_GRACE_MS, DEFAULT_STARTUP_TIMEOUT_MS } from "../launch/start-options.ts";
import { SinkWriter } from "../logs/sink-writer.ts";
import { notRunRecord, notRunResult } from "../supervise/not-run.ts";
import { runAttempt } from "../supervise/run-attempt.ts";
import { endAttempt } from "../supervise/stored-attempt.ts";
import { unlessAborted } from "../time-limit.ts";
import { BaseCoordinator, type ExecuteTaskRequest, type TaskResult } from "./base-coordinator.ts";
import { type TaskCommand, TaskCommandError } from "./task-command.ts";
import { askEnvironmentHook, type EnvironmentHook } from "./task-environment.ts";

/** How child processes are started and supervised. */
export interface SubprocessCoordinatorOptions {
  /** From the launch to both connections. Default 10,000. */
  readonly startupTimeoutMs?: number | undefined;
  /**
   * So many of this coordinator's processes load at once, 1 to Infinity; others wait for their turn,
   * and their clocks begin with it. A launch that takes longer than 2 s lets the next one pass.
   * Default: 4 for each processor, together with all coordinators that have no limit of their own.
   */
  readonly maxConcurrentLaunches?: number | undefined;
  /** Hands on the whole environment of this process, secrets included. Default false: an allow-list. */
  readonly inheritEnv?: boolean | undefined;
  /** Variables to add or replace; undefined removes one. */
  readonly env?: { readonly [name: string]: string | undefined } | undefined;
  /**
   * Adds variables for one attempt, or changes or removes some: a secret of this task, say. They
   * win over `env`, `logLevel` and `namespaceLevels` over them. What it throws, or gives that no
   * environment can hold, makes the attempt a failed start with the code `environment-failed` (or
   * that of its own {@link TaskCommandError}).
   */
  readonly environment?: EnvironmentHook | undefined;
  /** The environment to take from. Default `process.env`. */
  readonly sourceEnv?: { readonly [name: string]: string | undefined } | undefined;
  /** Working folder of the child. Default: ours. */
  readonly cwd?: string | undefined;
  /** AIRFLOW__LOGGING__LOGGING_LEVEL of the child: nothing is filtered here. */
  readonly logLevel?: string | undefined;
  /** AIRFLOW__LOGGING__NAMESPACE_LEVELS of the child. */
  readonly namespaceLevels?: string | undefined;
  /**
   * `required`, the default: a connection has to come from the launched process tree. `off`: any
   * local process may connect; where the system offers no way to tell, it has to be said.
   */
  readonly ownership?: "required" | "off" | undefined;
  /** From the exit to the cut of connections that something still holds open. Default 60,000. */
  readonly socketCleanupTimeoutMs?: number | undefined;
  /** From a terminal message to SIGTERM. Default 20,000. */
  readonly successOvertimeMs?: number | undefined;
  /** From SIGTERM to SIGKILL. Default 5,000. */
  readonly killGraceMs?: number | undefined;
  /** The longest frame taken from a child. Default 1 GiB. */
  readonly maxFrameBytes?: number | undefined;
  /** Longer log lines are cut. Default 64 MiB. */
  readonly maxLogLineBytes?: number | undefined;
  /**
   * How long a log sink may take for one record, and for its flush. One that takes longer is left
   * alone until it has settled; what comes in between is lost and counted in `logError`, and Node
   * warns once (`ParlanceWarning`). After a kill (`killSignal`) it is 1 s. Default 60,000.
   */
  readonly logSinkTimeoutMs?: number | undefined;
  /**
   * Does what stock Airflow does where this coordinator does better, to see how a runtime copes. See
   * README.md. Default false.
   */
  readonly strictAirflow?: boolean | undefined;
  /**
   * The schema version of the supervisor itself: `2026-06-16` is that of Airflow 3.3, `2026-10-30`
   * that of 3.4. Messages of a runtime on an older one are rewritten, as 3.4 does it; one on a newer
   * one is a failed start with the code `unsupported-schema-version`, as 3.3 does not start it.
   * Default: whatever the runtime speaks, so that nothing is rewritten.
   */
  readonly headVersion?: SchemaVersion | undefined;
  /** The clock of time stamps. Default the system's. */
  readonly now?: (() => Date) | undefined;
}

/** Runs every attempt in a process of its own. What to start is the one duty of a subclass. */
export abstract class SubprocessCoordinator extends BaseCoordinator {
  readonly #options: SubprocessCoordinatorOptions;
  readonly #gate: LaunchGate;

  /**
   * @throws RangeError for a `maxConcurrentLaunches` that is no whole number from 1 on, and for a
   * `headVersion` that is not known
   */
  constructor(options: SubprocessCoordinatorOptions = {}) {
    super();
    if (options.headVersion !== undefined) checkHeadVersion(options.headVersion);
    this.#options = options;
    this.#gate = gateOf(options.maxConcurrentLaunches);
  }

  /**
   * The command for one attempt, without `--comm` and `--logs`.
   *
   * @throws TaskCommandError where there is none: the attempt is then a failed start.
   */
  protected abstract buildExecuteTaskCommand(request: ExecuteTaskRequest): Promise<TaskCommand>;

  override async executeTask(request: ExecuteTaskRequest): Promise<TaskResult> {
    const options = this.#options;
    const startedAt = performance.now();
    let command: TaskCommand;
    let env: { [name: string]: string };
    try {
      const asked = this.#commandAndEnvironment(request);
      ({ command, env } = await unlessAborted(asked, [request.signal, request.killSignal], () => {
        return new TaskCommandError("aborted", "told to stop before there was a command to start");
      }));
    } catch (error) {
      if (!(error instanceof TaskCommandError)) throw error;
      return await this.#reportNoCommand(request, error, performance.now() - startedAt);
    }
    const killGraceMs = options.killGraceMs ?? DEFAULT_KILL_GRACE_MS;
    return await runAttempt({
      request,
      schemaVersion: command.schemaVersion,
      headVersion: options.headVersion ?? command.schemaVersion,
      gate: this.#gate,
      launch: {
        argv: command.argv,
        env,
        startupTimeoutMs: options.startupTimeoutMs ?? DEFAULT_STARTUP_TIMEOUT_MS,
        killGraceMs,
        ownership: options.ownership ?? "required",
        ...(options.cwd !== undefined && { cwd: options.cwd }),
      },
      limits: {
        killGraceMs,
        successOvertimeMs: options.successOvertimeMs ?? 20_000,
        socketCleanupTimeoutMs: options.socketCleanupTimeoutMs ?? 60_000,
        maxFrameBytes: options.maxFrameBytes,
      },
      maxLogLineBytes: options.maxLogLineBytes ?? 64 * 1024 * 1024,
      logSinkTimeoutMs: options.logSinkTimeoutMs,
      strictAirflow: options.strictAirflow,
      now: options.now ?? (() => new Date()),
    });
  }

  async #commandAndEnvironment(
    request: ExecuteTaskRequest,
  ): Promise<{ readonly command: TaskCommand; readonly env: { [name: string]: string } }> {
    const command = await this.buildExecuteTaskCommand(request);
    checkRuntimeVersion(command.schemaVersion, this.#options.headVersion);
    return { command, env: await this.#environment(request) };
  }

  async #environment(request: ExecuteTaskRequest): Promise<{ [name: string]: string }> {
    const { inheritEnv, env, sourceEnv, logLevel, namespaceLevels, environment } = this.#options;
    const added = environment === undefined ? {} : await askEnvironmentHook(environment, request);
    return buildChildEnvironment({
      ...(inheritEnv !== undefined && { inheritEnv }),
      env: { ...env, ...added },
      ...(sourceEnv !== undefined && { parent: sourceEnv }),
      ...(logLevel !== undefined && { logLevel }),
      ...(namespaceLevels !== undefined && { namespaceLevels }),
    });
  }

  async #reportNoCommand(
    request: ExecuteTaskRequest,
    error: TaskCommandError,
    durationMs: number,
  ): Promise<TaskResult> {
    const now = this.#options.now?.() ?? new Date();
    const { taskInstance } = request;
    const result = notRunResult(taskInstance, error, { exitCode: null, durationMs });
    const facts = { state: result.finalState, startDate: now, endDate: now };
    await endAttempt(request, taskInstance, facts);
    const sink = new SinkWriter(request.logSink, this.#options.logSinkTimeoutMs);
    await sink.write(notRunRecord(now, error, error.details));
    await sink.flush();
    return sink.error === undefined ? result : { ...result, logError: { ...sink.error } };
  }
}

function checkHeadVersion(version: unknown): void {
  if (isSchemaVersion(version)) return;
  throw new RangeError(
    `SubprocessCoordinator: headVersion ${JSON.stringify(version)} is no schema version known here; known: ${SCHEMA_VERSIONS.join(", ")}`,
  );
}

/** A supervisor knows the versions up to its own. */
function checkRuntimeVersion(runtime: SchemaVersion, head = SCHEMA_VERSIONS.at(-1)): void {
  const served = SCHEMA_VERSIONS.filter((version) => head !== undefined && version <= head);
  if (served.includes(runtime)) return;
  throw new TaskCommandError(
    "unsupported-schema-version",
    `the runtime speaks schema version ${runtime}; this supervisor, of ${head}, knows ${served.join(", ")}: build the runtime for one of them, or give a newer headVersion (parlance run: --airflow)`,
    { schema_version: runtime, known: served },
  );
}

function gateOf(maxConcurrent: number | undefined): LaunchGate {
  if (maxConcurrent === undefined) return sharedLaunchGate;
  if (maxConcurrent >= 1 && (Number.isInteger(maxConcurrent) || maxConcurrent === Infinity)) {
    return new LaunchGate(maxConcurrent);
  }
  throw new RangeError(
    `SubprocessCoordinator: maxConcurrentLaunches ${maxConcurrent} is no whole number from 1 on, nor Infinity`,
  );
}
