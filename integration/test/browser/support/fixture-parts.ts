import type {
  Attempt,
  DagDetail,
  DagSummary,
  FrameEntry,
  GridRun,
  LogEntry,
  Param,
  RunDetail,
  Task,
  TaskInstance,
  TaskState,
  Wait,
} from "@parlance/dev";

const START_MS = Date.now() - 90_000;

/** When made up data begins: a minute and a half ago. */
export const START = new Date(START_MS).toISOString();

/** A time so many seconds after {@link START}. */
export function after(seconds: number): string {
  return new Date(START_MS + seconds * 1000).toISOString();
}

export function task(taskId: string, upstream: readonly string[], rest: Partial<Task> = {}): Task {
  return {
    taskId,
    displayName: taskId,
    kind: "task",
    groupId: taskId.includes(".") ? taskId.slice(0, taskId.lastIndexOf(".")) : null,
    upstream,
    downstream: [],
    isMapped: false,
    triggerRule: "all_success",
    retries: 0,
    retryDelaySeconds: 300,
    retryExponentialBackoff: 0,
    maxRetryDelaySeconds: null,
    executionTimeoutSeconds: null,
    pool: "default_pool",
    poolSlots: 1,
    queue: "default",
    priorityWeight: 1,
    docMd: null,
    ...rest,
  };
}

export function dag(
  dagId: string,
  tasks: readonly Task[],
  rest: Partial<DagDetail> = {},
): DagDetail {
  return {
    dagId,
    kind: "native",
    displayName: dagId,
    description: null,
    tags: [],
    schedule: null,
    taskCount: tasks.length,
    lastRun: null,
    tasks,
    groups: [],
    params: [],
    docMd: null,
    maxActiveTasks: 16,
    ...rest,
  };
}

export function param(name: string, value: unknown, rest: Partial<Param> = {}): Param {
  return {
    name,
    value,
    isRequired: false,
    isSecret: false,
    schema: {},
    description: null,
    ...rest,
  };
}

/** A run in which every task has one instance of the state that `stateOf` says. */
export function run(
  ofDag: DagDetail,
  runId: string,
  startSeconds: number,
  stateOf: (taskId: string, index: number) => TaskState,
  rest: Partial<RunDetail> = {},
): RunDetail {
  const { dagId } = ofDag;
  const instances = ofDag.tasks.map((one, index) =>
    instance({ dagId, runId, taskId: one.taskId, mapIndex: -1 }, stateOf(one.taskId, index), {
      maxTries: one.retries + 1,
      startDate: after(startSeconds + index * 1.5),
      endDate: after(startSeconds + index * 1.5 + 0.4 + (index % 4)),
    }),
  );
  return {
    dagId,
    runId,
    state: instances.some(({ state }) => state === "failed") ? "failed" : "success",
    logicalDate: after(startSeconds),
    createdAt: after(startSeconds),
    startDate: after(startSeconds),
    endDate: after(startSeconds + ofDag.tasks.length * 1.5 + 3),
    note: null,
    timeScale: 1,
    conf: {},
    instances,
    isActive: false,
    ...rest,
  };
}

export function instance(
  ref: Pick<TaskInstance, "dagId" | "runId" | "taskId" | "mapIndex">,
  state: TaskState,
  rest: Partial<TaskInstance> = {},
): TaskInstance {
  return {
    ...ref,
    state,
    tryNumber: state === null || state === "scheduled" || state === "upstream_failed" ? 0 : 1,
    maxTries: 1,
    startDate: null,
    endDate: null,
    dueAt: null,
    renderedMapIndex: null,
    note: null,
    ...rest,
  };
}

export function attempt(
  attemptId: string,
  tryNumber: number,
  rest: Partial<Attempt> = {},
): Attempt {
  return {
    attemptId,
    tryNumber,
    startDate: START,
    endDate: after(1),
    state: "success",
    exitCode: 0,
    durationMs: 1_000,
    error: null,
    hasLog: true,
    hasFrames: true,
    ...rest,
  };
}

/** A wait with back-off: base and jitter as given, the cap cuts. */
export function wait(
  afterTry: number,
  base: number,
  jitter: number,
  cap: number | null,
  rest: Partial<Wait> = {},
): Wait {
  const delaySeconds = cap === null ? base + jitter : Math.min(cap, base + jitter);
  return {
    kind: "retry",
    afterTry,
    mode: "backoff",
    baseSeconds: base,
    jitterSeconds: jitter,
    capSeconds: cap,
    cappedBy: delaySeconds < base + jitter ? "max_retry_delay" : null,
    multiplier: 2,
    delaySeconds,
    scaledSeconds: delaySeconds,
    beganAt: null,
    dueAt: null,
    startedAt: null,
    reason: null,
    ...rest,
  };
}

export function line(seconds: number, event: unknown, rest: Partial<LogEntry> = {}): LogEntry {
  return { timestamp: after(seconds), level: "info", logger: "task", event, ...rest };
}

export function frame(number: number, rest: Partial<FrameEntry>): FrameEntry {
  return {
    number,
    at: after(53 + number / 50),
    direction: "to-task",
    id: number,
    type: null,
    body: null,
    third: null,
    redacted: [],
    isCut: false,
    lost: 0,
    ...rest,
  };
}

/** A run as a column of the grid. */
export function gridRun({ instances, conf: _, isActive: __, ...summary }: RunDetail): GridRun {
  const cells: Record<string, GridRun["cells"][string]> = {};
  for (const { taskId, state, tryNumber, mapIndex } of instances) {
    const before = cells[taskId];
    const many = mapIndex < 0 ? null : (before?.instances ?? 0) + 1;
    const shown = before?.state === "failed" ? before.state : state;
    cells[taskId] = { state: shown, tryNumber, instances: many };
  }
  return { ...summary, cells };
}

export function dagSummary(of: DagDetail, runs: readonly RunDetail[]): DagSummary {
  const { dagId, kind, displayName, description, tags, schedule, taskCount } = of;
  const newest = runs.find((one) => one.dagId === dagId);
  const lastRun = newest === undefined ? null : withoutDetails(newest);
  return { dagId, kind, displayName, description, tags, schedule, taskCount, lastRun };
}

function withoutDetails({ instances: _, conf: __, isActive: ___, ...summary }: RunDetail) {
  return summary;
}
