import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ArgvCoordinator,
  exactJsonText,
  type LogRecord,
  MemoryTaskStore,
  seedStore,
  type TaskResult,
} from "@parlance/coordinator";
import type { SchemaVersion, TaskArgBinding } from "@parlance/protocol";
import type { ConformanceCase } from "../case/case-types.ts";
import { RUN_ID, TASK_INSTANCE_ID } from "../case/load-cases.ts";
import type { SeenFrame } from "../link/frame-log.ts";
import { LinkStage } from "../link/link-stage.ts";
import { AttemptWatch } from "./attempt-watch.ts";
import { launchArgv } from "./launch-argv.ts";
import { isolate, readOwnBundle } from "./own-bundle.ts";
import { runParse } from "./run-parse.ts";

/** The time that a runtime has between SIGTERM and SIGKILL, as on stock Airflow. */
const KILL_GRACE_MS = 5_000;

/** The trace that every task is part of. */
const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";

/** The runtime under test, and how it is started. */
export interface RuntimeUnderTest {
  /** The program and its first arguments. */
  readonly argv: readonly string[];
  readonly cwd?: string | undefined;
  /** Variables to add to those of the allow-list. */
  readonly env?: { readonly [name: string]: string } | undefined;
  /** Its bundle, where that is no word of `argv`. */
  readonly bundle?: string | undefined;
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
  /** Metadata of the runtime's own bundle, where the case asks for it. */
  readonly bundle?: unknown;
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
  const folder = await mkdtemp(join(tmpdir(), "parlance-conformance-"));
  const watch = new AttemptWatch(wanted, join(folder, "pid"), signal);
  try {
    const started = wanted.launch.alone ? await isolate(runtime, join(folder, "alone")) : runtime;
    const bundle = wanted.expect.bundle === undefined ? undefined : await readOwnBundle(started);
    const argv = launchArgv(started.argv, wanted, watch.pidFile);
    const seen =
      wanted.kind === "parse"
        ? await runParse({ ...started, argv }, wanted, version, watch)
        : await runTask({ ...started, argv }, wanted, version, watch);
    return { ...seen, ...(bundle !== undefined && { bundle }) };
  } finally {
    watch.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function runTask(
  { argv, cwd, env }: RuntimeUnderTest,
  wanted: ConformanceCase,
  version: SchemaVersion,
  watch: AttemptWatch,
): Promise<CaseEvidence> {
  const store = new MemoryTaskStore();
  const { dag, logLevel = "DEBUG", namespaceLevels } = wanted;
  await seedStore(store, wanted.store, { dagId: dag, runId: RUN_ID });
  const coordinator = new ArgvCoordinator({
    argv,
    schemaVersion: version,
    killGraceMs: KILL_GRACE_MS,
    socketCleanupTimeoutMs: 5_000,
    startupTimeoutMs: (wanted.startupSeconds ?? wanted.deadlineSeconds) * 1_000,
    logLevel,
    ...(namespaceLevels !== undefined && { namespaceLevels }),
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env }),
  });
  const { tryNumber = 1, shouldRetry = false, ...instance } = wanted.instance;
  const { logicalDate = "2026-06-16T01:02:03.123Z", conf = { greeting: "hello" } } = wanted.dagRun;
  let stage: LinkStage | undefined;
  try {
    const result = await coordinator.executeTask({
      taskInstance: {
        ...instance,
        id: TASK_INSTANCE_ID,
        dagId: dag,
        taskId: wanted.task,
        runId: RUN_ID,
        tryNumber,
        maxTries: shouldRetry ? tryNumber : 0,
        shouldRetry,
        ...(wanted.xcomKeysToClear && { xcomKeysToClear: wanted.xcomKeysToClear }),
        contextCarrier: { traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01` },
      },
      dagRun: {
        logicalDate: logicalDate === null ? null : new Date(logicalDate),
        dataIntervalStart: null,
        dataIntervalEnd: null,
        conf,
      },
      argBindings: (wanted.argBindings as readonly TaskArgBinding[] | undefined) ?? null,
      store,
      logSink: watch,
      signal: watch.terminate.signal,
      killSignal: watch.kill.signal,
      interpose: (comm) => {
        watch.onConnect();
        stage = new LinkStage(comm, wanted.link, (type) => watch.onRequest(type));
        return stage;
      },
    });
    const seconds = watch.secondsSince(stage?.cutAt) ?? result.durationMs / 1_000;
    const { records, supervisor, late } = watch;
    return {
      version,
      result,
      frames: stage?.log.frames ?? [],
      leftUnanswered: stage?.leftUnanswered ?? [],
      records,
      supervisor,
      seconds,
      late,
      ...(await left(store, wanted)),
    };
  } finally {
    await store.close();
  }
}

async function left(
  store: MemoryTaskStore,
  { dag, task }: ConformanceCase,
): Promise<Pick<CaseEvidence, "xcoms" | "variables">> {
  const listed = await store.xcoms.list({ dagId: dag, runId: RUN_ID, taskId: task });
  const xcoms: { [key: string]: unknown } = {};
  for (const { key, value } of listed) xcoms[key] = JSON.parse(exactJsonText(value));
  const variables: { [key: string]: string | null } = {};
  for (const key of await store.variables.keys()) {
    variables[key] = (await store.variables.get(key))?.value ?? null;
  }
  return { xcoms, variables };
}
