import {
  ArgvCoordinator,
  exactJsonText,
  type LogRecord,
  MemoryTaskStore,
  SUPERVISOR_LOGGER,
  seedStore,
  type TaskResult,
} from "@parlance/coordinator";
import type { SchemaVersion, TaskArgBinding } from "@parlance/protocol";
import type { ConformanceCase } from "../case/case-types.ts";
import type { SeenFrame } from "../link/frame-log.ts";
import { LinkStage } from "../link/link-stage.ts";
import { addressArgv } from "./address-argv.ts";

/** The Dag that a runtime under test registers its handlers in. */
export const CONFORMANCE_DAG = "conformance";
const RUN_ID = "manual__2026-06-16T01:02:03.123456+00:00";
/** The time that a runtime has between SIGTERM and SIGKILL, as on stock Airflow. */
const KILL_GRACE_MS = 5_000;
const MAX_RECORDS = 50_000;

/** The runtime under test, and how it is started. */
export interface RuntimeUnderTest {
  /** The program and its first arguments. */
  readonly argv: readonly string[];
  readonly cwd?: string | undefined;
  /** Variables to add to those of the allow-list. */
  readonly env?: { readonly [name: string]: string } | undefined;
}

/** Everything that was seen of one run of one case. */
export interface CaseEvidence {
  readonly version: SchemaVersion;
  readonly result: TaskResult;
  readonly frames: readonly SeenFrame[];
  /** Types of the requests that the runtime did not wait for: it closed the link before their answers. */
  readonly leftUnanswered: readonly string[];
  /** What the child logged and printed, in order of arrival. */
  readonly records: readonly LogRecord[];
  /** What the supervisor had to say. */
  readonly supervisor: readonly LogRecord[];
  /** XComs of the task afterwards, as exact JSON. */
  readonly xcoms: { readonly [key: string]: unknown };
  readonly variables: { readonly [key: string]: string | null };
  /** From the moment that the case is about (a cut, a signal; else the launch) to the end of the process. */
  readonly seconds: number;
  /** The runtime had to be ended: the case's own deadline was over. */
  readonly late: boolean;
}

/** Runs a case once against a runtime, under the coordinator that users run tasks with. */
export async function runCase(
  runtime: RuntimeUnderTest,
  wanted: ConformanceCase,
  version: SchemaVersion,
  signal?: AbortSignal,
): Promise<CaseEvidence> {
  const store = new MemoryTaskStore();
  await seedStore(store, wanted.store, { dagId: CONFORMANCE_DAG, runId: RUN_ID });
  const watch = new AttemptWatch(wanted, signal);
  const coordinator = new ArgvCoordinator({
    argv: addressArgv(runtime.argv, wanted.address),
    schemaVersion: version,
    killGraceMs: KILL_GRACE_MS,
    socketCleanupTimeoutMs: 5_000,
    startupTimeoutMs: wanted.deadlineSeconds * 1_000,
    logLevel: wanted.logLevel ?? "DEBUG",
    ...(wanted.namespaceLevels !== undefined && { namespaceLevels: wanted.namespaceLevels }),
    ...(runtime.cwd !== undefined && { cwd: runtime.cwd }),
    ...(runtime.env !== undefined && { env: runtime.env }),
  });
  const { tryNumber = 1, shouldRetry = false, ...instance } = wanted.instance;
  let stage: LinkStage | undefined;
  try {
    const result = await coordinator.executeTask({
      taskInstance: {
        ...instance,
        dagId: CONFORMANCE_DAG,
        taskId: wanted.task,
        runId: RUN_ID,
        tryNumber,
        maxTries: shouldRetry ? tryNumber : 0,
        shouldRetry,
        ...(wanted.xcomKeysToClear && { xcomKeysToClear: wanted.xcomKeysToClear }),
        contextCarrier: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
      },
      dagRun: {
        logicalDate: new Date("2026-06-16T01:02:03.123Z"),
        dataIntervalStart: null,
        dataIntervalEnd: null,
        conf: { greeting: "hello" },
      },
      argBindings: (wanted.argBindings as readonly TaskArgBinding[] | undefined) ?? null,
      store,
      logSink: watch,
      signal: watch.terminate.signal,
      killSignal: watch.kill.signal,
      interpose: (comm) => {
        stage = new LinkStage(comm, wanted.link);
        return stage;
      },
    });
    const from = stage?.cutAt ?? watch.signalledAt;
    const seconds = (from === undefined ? result.durationMs : performance.now() - from) / 1_000;
    const { records, supervisor, late } = watch;
    const frames = stage?.log.frames ?? [];
    const leftUnanswered = stage?.leftUnanswered ?? [];
    return {
      version,
      result,
      frames,
      leftUnanswered,
      records,
      supervisor,
      seconds,
      late,
      ...(await left(store, wanted)),
    };
  } finally {
    watch.stop();
    await store.close();
  }
}

async function left(
  store: MemoryTaskStore,
  { task }: ConformanceCase,
): Promise<Pick<CaseEvidence, "xcoms" | "variables">> {
  const listed = await store.xcoms.list({ dagId: CONFORMANCE_DAG, runId: RUN_ID, taskId: task });
  const xcoms: { [key: string]: unknown } = {};
  for (const { key, value } of listed) xcoms[key] = JSON.parse(exactJsonText(value));
  const variables: { [key: string]: string | null } = {};
  for (const key of await store.variables.keys()) {
    variables[key] = (await store.variables.get(key))?.value ?? null;
  }
  return { xcoms, variables };
}

/** Takes the records of an attempt, and sends its signals. */
class AttemptWatch {
  readonly records: LogRecord[] = [];
  readonly supervisor: LogRecord[] = [];
  readonly terminate: AbortController = new AbortController();
  readonly kill: AbortController = new AbortController();
  late = false;
  signalledAt: number | undefined;
  readonly #wanted: ConformanceCase;
  readonly #deadline: NodeJS.Timeout;
  readonly #stopFollowing: () => void;
  #slow: Promise<void> | undefined;

  constructor(wanted: ConformanceCase, signal: AbortSignal | undefined) {
    this.#wanted = wanted;
    this.#deadline = setTimeout(() => {
      this.late = true;
      this.terminate.abort();
    }, wanted.deadlineSeconds * 1_000);
    const end = (): void => this.kill.abort();
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted) end();
    this.#stopFollowing = () => signal?.removeEventListener("abort", end);
  }

  async write(record: LogRecord): Promise<void> {
    const { slowLogsMs, signal } = this.#wanted;
    const own = record.logger === SUPERVISOR_LOGGER;
    const list = own ? this.supervisor : this.records;
    if (list.length < MAX_RECORDS) list.push(record);
    if (!own && signal !== undefined && record.event === signal.afterLog) {
      this.signalledAt ??= performance.now();
      (signal.name === "SIGKILL" ? this.kill : this.terminate).abort();
    }
    if (slowLogsMs === undefined || own) return;
    this.#slow ??= new Promise((resolve) => setTimeout(resolve, slowLogsMs));
    await this.#slow;
  }

  stop(): void {
    clearTimeout(this.#deadline);
    this.#stopFollowing();
  }
}
