import { randomUUID } from "node:crypto";
import { Timestamp } from "@parlance/framing";
import type { ExecuteTaskRequest, ResumeEvent } from "../coordinators/base-coordinator.ts";
import { TaskCommandError } from "../coordinators/task-command.ts";
import type { FoundTaskInstance } from "../store/task-instance-store.ts";
import type { TaskInstanceRef } from "../store/task-store.ts";
import { unlessAborted, within } from "../time-limit.ts";
import type { FinalState } from "./final-state.ts";
import type { DateInput, TaskInstanceSpec } from "./task-instance.ts";

/** States in which a try waits for what takes it up again. */
const WAITING: ReadonlySet<string | null> = new Set(["deferred", "awaiting_input"]);

/** The method that stands for a trigger's failure; the runtime knows what to raise. */
const FAIL = "__fail__";

/**
 * What the server does before an attempt. A new try gets an id, and the XComs of an earlier one go.
 * A try that goes on (it rescheduled itself, or waited and is resumed) keeps its id, what was counted
 * and, when resumed, start date and XComs. The instance is then running.
 *
 * @returns the task instance with what the store knows of it
 * @throws TaskCommandError `nothing-to-resume` where the try does not wait; nothing is changed then
 */
export async function beginAttempt(
  request: ExecuteTaskRequest,
  startDate: Date,
): Promise<TaskInstanceSpec> {
  const { store, taskInstance: asked } = request;
  const ref = refOf(asked);
  const row = await store.taskInstances.get(ref);
  const before = tryToGoOn(request, row?.tryNumber === asked.tryNumber ? row : undefined);
  // What is asked for wins over what the store has.
  const spec = { ...(before && known(before, request.resume)), ...asked };
  const { id = randomUUID(), nextMethod = null, rescheduleCount = 0 } = spec;
  const isResumed = nextMethod !== null;
  if (!isResumed && spec.xcomKeysToClear === undefined) {
    const left = await store.xcoms.list(ref);
    await Promise.all(left.map((xcom) => store.xcoms.delete(xcom)));
  }
  await store.taskInstances.set({
    ...ref,
    id,
    state: "running",
    tryNumber: spec.tryNumber,
    startDate:
      (isResumed && (textOf(asked.startDate) ?? before?.startDate)) || startDate.toISOString(),
    endDate: null,
    rescheduleCount,
    maxTries: spec.maxTries ?? null,
    firstStartDate: textOf(asked.firstRescheduleStartDate) ?? before?.firstStartDate ?? null,
    nextMethod,
    nextKwargs: isResumed ? (spec.nextKwargs ?? null) : null,
  });
  return { ...spec, id };
}

/** How an attempt ended, for the store. */
interface EndFacts {
  readonly state: FinalState;
  readonly startDate: Date;
  readonly endDate: Date;
}

/** How long the store may take for it once the attempt was told to stop, in milliseconds. */
const LAST_WRITE_MS = 10_000;

/**
 * What the server does after it: the instance has ended, or waits. Never rejects: the verdict stands
 * without it. A store that does not answer is waited for until the attempt is told to stop.
 */
export async function endAttempt(
  request: ExecuteTaskRequest,
  spec: TaskInstanceSpec,
  facts: EndFacts,
): Promise<void> {
  const { signal, killSignal } = request;
  const recorded = recordEnd(request, spec, facts).catch(() => {});
  const isStopped = (): Error => new Error("told to stop");
  await unlessAborted(recorded, [signal, killSignal], isStopped).catch(() =>
    within(LAST_WRITE_MS, recorded),
  );
}

async function recordEnd(
  { store }: ExecuteTaskRequest,
  spec: TaskInstanceSpec,
  facts: EndFacts,
): Promise<void> {
  const { state } = facts;
  const endDate = facts.endDate.toISOString();
  const ref = refOf(spec);
  const changes = {
    state,
    endDate,
    ...(!WAITING.has(state) && { nextMethod: null, nextKwargs: null, deferral: null }),
  };
  if (await store.taskInstances.update(ref, changes)) return;
  const { id = null, tryNumber } = spec;
  const startDate = facts.startDate.toISOString();
  await store.taskInstances.set({ ...ref, id, state, tryNumber, startDate, endDate });
}

/** The row of the try, where this attempt goes on with it. */
function tryToGoOn(
  { taskInstance: asked, resume }: ExecuteTaskRequest,
  row: FoundTaskInstance | undefined,
): FoundTaskInstance | undefined {
  const isWaiting = row !== undefined && WAITING.has(row.state);
  if (resume !== undefined && !isWaiting) {
    throw new TaskCommandError("nothing-to-resume", nothingToResume(asked, row));
  }
  const isResumed = isWaiting && (resume !== undefined || asked.nextMethod != null);
  return isResumed || row?.state === "up_for_reschedule" ? row : undefined;
}

function known(
  before: FoundTaskInstance,
  resume: ResumeEvent | undefined,
): Partial<TaskInstanceSpec> {
  const { id, rescheduleCount, firstStartDate, startDate } = before;
  return {
    ...(id !== null && { id }),
    rescheduleCount,
    firstRescheduleStartDate: dateOf(firstStartDate),
    startDate: dateOf(startDate),
    ...(resume !== undefined && resumedWith(before, resume)),
  };
}

function resumedWith(before: FoundTaskInstance, resume: ResumeEvent): Partial<TaskInstanceSpec> {
  if ("failure" in resume) {
    const { failure: error, traceback } = resume;
    return { nextMethod: FAIL, nextKwargs: { error, ...(traceback && { traceback }) } };
  }
  const { nextMethod, nextKwargs } = before;
  const kwargs = typeof nextKwargs === "object" ? nextKwargs : {};
  return { nextMethod, nextKwargs: { ...kwargs, event: resume.event } };
}

function nothingToResume(asked: TaskInstanceSpec, before: FoundTaskInstance | undefined): string {
  const { dagId, taskId, runId, tryNumber } = asked;
  const state = before === undefined ? "not in the store" : (before.state ?? "to run");
  return (
    `resuming try ${tryNumber} of ${dagId}.${taskId} in run ${runId}: it is ${state}, and only one ` +
    "that is deferred or awaiting_input can be resumed; run it without `resume`"
  );
}

function refOf({ dagId, runId, taskId, mapIndex = -1 }: TaskInstanceSpec): TaskInstanceRef {
  return { dagId, runId, taskId, mapIndex };
}

function dateOf(text: string | null): Timestamp | null {
  return text === null ? null : Timestamp.parse(text);
}

function textOf(date: DateInput | undefined): string | null {
  return date == null ? null : date.toISOString();
}
