import { validate as validGetPrevious } from "@parlance/protocol/validators/2026-06-16/GetPreviousTI.js";
import { validate as validGetBreadcrumbs } from "@parlance/protocol/validators/2026-06-16/GetTaskBreadcrumbs.js";
import { validate as validGetReschedule } from "@parlance/protocol/validators/2026-06-16/GetTaskRescheduleStartDate.js";
import { validate as validGetStates } from "@parlance/protocol/validators/2026-06-16/GetTaskStates.js";
import { validate as validGetCount } from "@parlance/protocol/validators/2026-06-16/GetTICount.js";
import type { Moment } from "../api/dates.ts";
import type {
  EndedTaskInstance,
  PreviousTaskInstance,
  TaskInstanceFilter,
  TaskInstanceState,
  TaskInstances,
} from "../api/task-instances.ts";
import { Answer } from "./answer.ts";
import { toTimestamp, toTimestampOrNull, withExact } from "./dates.ts";
import type { RequestScope } from "./request-scope.ts";

/** {@link TaskInstances} over the comm link. */
export class SupervisorTaskInstances implements TaskInstances {
  readonly #scope: RequestScope;

  constructor(scope: RequestScope) {
    this.#scope = scope;
  }

  async count(
    filter: TaskInstanceFilter & {
      readonly states?: readonly (TaskInstanceState | null)[] | undefined;
    } = {},
  ): Promise<number> {
    // A state that there is not yet has this name in a query.
    const states = filter.states?.map((state) => state ?? "null") ?? null;
    const request = { type: "GetTICount", ...this.#filter(filter), states };
    const answer = await this.#scope.requester.ask(request, validGetCount, "TICount");
    return new Answer(request.type, answer).number("count");
  }

  async getStates(filter: TaskInstanceFilter = {}): Promise<{
    readonly [runId: string]: { readonly [taskId: string]: TaskInstanceState | null };
  }> {
    const request = { type: "GetTaskStates", ...this.#filter(filter) };
    const answer = await this.#scope.requester.ask(request, validGetStates, "TaskStatesResult");
    return new Answer(request.type, answer).json("task_states") as {
      readonly [runId: string]: { readonly [taskId: string]: TaskInstanceState | null };
    };
  }

  async getPrevious(
    options: {
      readonly dagId?: string | undefined;
      readonly taskId?: string | undefined;
      readonly logicalDate?: Moment | null | undefined;
      readonly mapIndex?: number | undefined;
      readonly state?: TaskInstanceState | undefined;
    } = {},
  ): Promise<PreviousTaskInstance | null> {
    const { context, requester } = this.#scope;
    const { dagId = context.dagId, taskId = context.taskId, state = null } = options;
    const isOwn = dagId === context.dagId && taskId === context.taskId;
    const before =
      options.logicalDate === undefined ? context.exact.logicalDate : options.logicalDate;
    const request = {
      type: "GetPreviousTI",
      dag_id: dagId,
      task_id: taskId,
      logical_date: toTimestampOrNull(before, "logicalDate"),
      map_index: options.mapIndex ?? (isOwn ? context.mapIndex : -1),
      state,
    };
    const body = await requester.ask(request, validGetPrevious, "PreviousTIResult");
    const found = new Answer(request.type, body).partOrNull("task_instance");
    return found === null ? null : readPrevious(found);
  }

  async getFirstReschedule(): Promise<Date | null> {
    const { context, requester } = this.#scope;
    const request = { type: "GetTaskRescheduleStartDate", ti_id: context.taskInstanceId };
    const answer = await requester.ask(request, validGetReschedule, "TaskRescheduleStartDate");
    return new Answer(request.type, answer).dateOrNull("start_date")?.toDate() ?? null;
  }

  async listEnded(
    run: { readonly dagId?: string | undefined; readonly runId?: string | undefined } = {},
  ): Promise<readonly EndedTaskInstance[]> {
    const { context, requester } = this.#scope;
    const { dagId = context.dagId, runId = context.runId } = run;
    const request = { type: "GetTaskBreadcrumbs", dag_id: dagId, run_id: runId };
    const answer = await requester.ask(request, validGetBreadcrumbs, "TaskBreadcrumbsResult");
    return new Answer(request.type, answer).parts("breadcrumbs").map((ended) => ({
      taskId: ended.text("task_id"),
      mapIndex: ended.numberOrNull("map_index") ?? -1,
      state: ended.textOrNull("state") as TaskInstanceState | null,
      operator: ended.textOrNull("operator"),
      durationSeconds: ended.numberOrNull("duration"),
    }));
  }

  #filter(filter: TaskInstanceFilter): { readonly [field: string]: unknown } {
    return {
      dag_id: filter.dagId ?? this.#scope.context.dagId,
      map_index: filter.mapIndex ?? null,
      task_ids: filter.taskIds ?? null,
      task_group_id: filter.taskGroupId ?? null,
      logical_dates:
        filter.logicalDates?.map((date) => toTimestamp(date, "a logical date")) ?? null,
      run_ids: filter.runIds ?? null,
    };
  }
}

function readPrevious(found: Answer): PreviousTaskInstance {
  return {
    dagId: found.text("dag_id"),
    taskId: found.text("task_id"),
    runId: found.text("run_id"),
    ...withExact({
      logicalDate: found.dateOrNull("logical_date"),
      startDate: found.dateOrNull("start_date"),
      endDate: found.dateOrNull("end_date"),
    }),
    state: found.textOrNull("state") as TaskInstanceState | null,
    tryNumber: found.number("try_number"),
    mapIndex: found.numberOrNull("map_index") ?? -1,
    durationSeconds: found.numberOrNull("duration"),
  };
}
