import {
  type AcceptedChannels,
  ChannelAcceptor,
  type ForeignConnection,
} from "../accept/channel-acceptor.ts";
import { createOwnershipChecker } from "../ownership/create-ownership-checker.ts";
import type { OwnershipChecker } from "../ownership/ownership-checker.ts";
import { startTimeLimit } from "../time-limit.ts";
import { describeShortage, diagnoseSpawnError } from "./diagnose-start.ts";
import { endFailedStart, programOf, type StartFailure } from "./failed-start.ts";
import { StartError, type StartErrorDetails } from "./start-error.ts";
import {
  DEFAULT_KILL_GRACE_MS,
  DEFAULT_STARTUP_TIMEOUT_MS,
  type StartTaskProcessOptions,
} from "./start-options.ts";
import type { StartedTask } from "./started-task.ts";
import { TaskProcess } from "./task-process.ts";

/** So many refused connections are reported one by one; a flood shall not fill the task's log. */
const MAX_REPORTED = 20;

/**
 * Starts a runtime and waits until it has connected both channels.
 *
 * Two listeners on 127.0.0.1 are opened, the program is started with their addresses appended, and
 * the first of three things decides: both connections are there; the launched process has ended,
 * which is a failed start whatever the exit code; the start-up time is over. On failure everything
 * the process started is ended and both listeners are closed before the promise rejects.
 *
 * The child leads a process group and session of its own, so that it can be ended as a whole and
 * no signal meant for it reaches us. It therefore gets no Ctrl-C from the terminal: pass that on
 * with `signal` or `kill`. If this process itself is killed by SIGKILL, a helper beside it ends the
 * child 4 s later (not on Windows): a runtime should end by itself when its comm link ends.
 *
 * @throws StartError `spawn-failed`, `listen-failed`, `exited-before-connect`, `startup-timeout`,
 *   `ownership-unavailable` or `aborted`
 */
export async function startTaskProcess(options: StartTaskProcessOptions): Promise<StartedTask> {
  const { argv, signal } = options;
  const fail = (details: Omit<StartErrorDetails, "argv">): never => {
    throw new StartError({ argv, ...details });
  };
  if (signal?.aborted === true) fail({ code: "aborted", happened: "aborted before the start" });
  const checker = await chooseChecker(options);
  const foreignConnections: ForeignConnection[] = [];
  const acceptor = await ChannelAcceptor.open({
    checker,
    onForeignConnection: (connection) => {
      if (foreignConnections.length >= MAX_REPORTED) return;
      foreignConnections.push(connection);
      options.onForeignConnection?.(connection);
    },
  }).catch((error: NodeJS.ErrnoException) =>
    fail({
      code: "listen-failed",
      happened: `can't listen on 127.0.0.1 (${error.code})`,
      errno: error.code,
      hint: describeShortage(error.code),
      cause: error,
    }),
  );
  const task = await spawn(options, acceptor).catch((error: unknown) => {
    acceptor.close();
    throw error;
  });
  acceptor.start(task.root);
  let outcome: Outcome;
  try {
    options.onSpawn?.(task);
    outcome = await waitForOutcome(options, acceptor, task);
  } catch (error) {
    acceptor.close(); // the caller's own onSpawn failed
    await closeProcess(task);
    throw error;
  }
  if ("channels" in outcome) return toStartedTask(task, outcome.channels);
  const pending = (["comm", "logs"] as const).filter((channel) => !acceptor.isConnected(channel));
  acceptor.close();
  const details = await endFailedStart(options, task, outcome.failure, {
    sawStrangers: foreignConnections.length > 0,
  });
  const waiting = pending.length === 0 ? "" : `, ${pending.join(" and ")} not connected`;
  return fail({ ...details, happened: `${details.happened}${waiting}`, foreignConnections });
}

type Outcome = { readonly channels: AcceptedChannels } | { readonly failure: StartFailure };

async function chooseChecker(
  options: StartTaskProcessOptions,
): Promise<OwnershipChecker | undefined> {
  const ownership = options.ownership ?? "required";
  if (ownership === "off") return undefined;
  if (ownership !== "required") return ownership;
  const checker = await createOwnershipChecker();
  if (checker !== undefined) return checker;
  throw new StartError({
    code: "ownership-unavailable",
    argv: options.argv,
    happened: "this system has neither /proc nor lsof to tell whose a connection is",
    hint: 'install lsof, or choose to take any local connection with ownership: "off"',
  });
}

async function spawn(
  options: StartTaskProcessOptions,
  acceptor: ChannelAcceptor,
): Promise<TaskProcess> {
  const { argv, env, cwd } = options;
  try {
    return await TaskProcess.spawn({
      argv: [...argv, `--comm=${acceptor.address("comm")}`, `--logs=${acceptor.address("logs")}`],
      env,
      cwd,
      killGraceMs: options.killGraceMs ?? DEFAULT_KILL_GRACE_MS,
      killSignal: options.killSignal,
    });
  } catch (error) {
    const errno = (error as NodeJS.ErrnoException).code;
    throw new StartError({
      code: "spawn-failed",
      argv,
      happened: `the system could not start it (${errno ?? (error as Error).message})`,
      errno,
      hint: await diagnoseSpawnError(errno, programOf(options)),
      cause: error,
    });
  }
}

async function waitForOutcome(
  options: StartTaskProcessOptions,
  acceptor: ChannelAcceptor,
  task: TaskProcess,
): Promise<Outcome> {
  const { signal, startupTimeoutMs = DEFAULT_STARTUP_TIMEOUT_MS } = options;
  let stopTimer = (): void => {};
  let abort = (): void => {};
  const interrupted = new Promise<Outcome>((resolve) => {
    stopTimer = startTimeLimit(startupTimeoutMs, () => resolve({ failure: "timeout" }));
    abort = () => resolve({ failure: "aborted" });
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted === true) abort();
  });
  try {
    return await Promise.race([
      acceptor.accepted.then((channels): Outcome => ({ channels })),
      task.exited.then((): Outcome => ({ failure: "exited" })),
      interrupted,
    ]);
  } finally {
    stopTimer();
    signal?.removeEventListener("abort", abort);
  }
}

function toStartedTask(task: TaskProcess, { comm, logs }: AcceptedChannels): StartedTask {
  const { stdout, stderr } = task;
  stdout.startBackpressure();
  stderr.startBackpressure();
  return {
    pid: task.pid,
    spawnedAtMs: task.spawnedAtMs,
    comm,
    logs,
    stdout,
    stderr,
    exited: task.exited,
    get exitStatus() {
      return task.exitStatus;
    },
    kill: (signal) => task.kill(signal),
    terminate: () => task.terminate(),
    killTree: () => task.killTree(),
    close: async () => {
      await closeProcess(task); // first: a runtime shall not report a lost link now
      comm.destroy();
      // Nobody is there any more: a reset leaves no trace in the socket table, which every check of
      // ownership reads.
      logs.resetAndDestroy();
    },
  };
}

async function closeProcess(task: TaskProcess): Promise<void> {
  await task.killTree();
  task.stdout.finish();
  task.stderr.finish();
}
