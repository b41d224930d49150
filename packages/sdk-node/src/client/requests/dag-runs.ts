import type { WireMap } from "@parlance/framing";
import { validate as validGetDag } from "@parlance/protocol/validators/2026-06-16/GetDag.js";
import { validate as validGetDagRun } from "@parlance/protocol/validators/2026-06-16/GetDagRun.js";
import { validate as validGetDagRunState } from "@parlance/protocol/validators/2026-06-16/GetDagRunState.js";
import { validate as validGetDRCount } from "@parlance/protocol/validators/2026-06-16/GetDRCount.js";
import { validate as validGetPreviousDagRun } from "@parlance/protocol/validators/2026-06-16/GetPreviousDagRun.js";
import { validate as validGetPreviousSuccess } from "@parlance/protocol/validators/2026-06-16/GetPrevSuccessfulDagRun.js";
import { validate as validUpdateNote } from "@parlance/protocol/validators/2026-10-30/UpdateDagRunNote.js";
import type {
  Dag,
  DagRun,
  DagRunFilter,
  DagRunRef,
  DagRunState,
  DagRuns,
  SuccessfulRunDates,
  TriggerDagRunOptions,
  TriggeredDagRun,
} from "../api/dag-runs.ts";
import type { Moment } from "../api/dates.ts";
import { Answer } from "./answer.ts";
import { toTimestamp, withExact } from "./dates.ts";
import { nullWhenMissing } from "./missing.ts";
import { readDagRun } from "./read-dag-run.ts";
import { demandNewerSchema, type RequestScope } from "./request-scope.ts";
import { triggerDagRun } from "./trigger-dag-run.ts";

/** {@link DagRuns} over the comm link. */
export class SupervisorDagRuns implements DagRuns {
  readonly #scope: RequestScope;

  constructor(scope: RequestScope) {
    this.#scope = scope;
  }

  trigger(options: TriggerDagRunOptions): Promise<TriggeredDagRun> {
    return triggerDagRun(this.#scope, options);
  }

  async get(run: DagRunRef = {}): Promise<DagRun | null> {
    const request = { type: "GetDagRun", ...this.#refer(run) };
    const answer = await nullWhenMissing(
      this.#scope.requester.ask(request, validGetDagRun, "DagRunResult"),
    );
    return answer === null ? null : readDagRun(new Answer("GetDagRun", answer));
  }

  async getState(run: DagRunRef = {}): Promise<DagRunState | null> {
    const request = { type: "GetDagRunState", ...this.#refer(run) };
    const answer = await nullWhenMissing(
      this.#scope.requester.ask(request, validGetDagRunState, "DagRunStateResult"),
    );
    if (answer === null) return null;
    return new Answer("GetDagRunState", answer).text("state") as DagRunState;
  }

  async count(filter: DagRunFilter = {}): Promise<number> {
    const request = {
      type: "GetDRCount",
      dag_id: filter.dagId ?? this.#scope.context.dagId,
      logical_dates:
        filter.logicalDates?.map((date) => toTimestamp(date, "a logical date")) ?? null,
      run_ids: filter.runIds ?? null,
      states: filter.states ?? null,
    };
    const answer = await this.#scope.requester.ask(request, validGetDRCount, "DRCount");
    return new Answer("GetDRCount", answer).number("count");
  }

  async getPrevious(
    options: {
      readonly dagId?: string | undefined;
      readonly logicalDate?: Moment | undefined;
      readonly state?: DagRunState | undefined;
    } = {},
  ): Promise<DagRun | null> {
    const { context, requester } = this.#scope;
    const { dagId = context.dagId, state = null } = options;
    const before = options.logicalDate ?? context.exact.logicalDate;
    if (before === null) return null; // a run without a logical date has no place in their order
    const logical_date = toTimestamp(before, "logicalDate");
    const request = { type: "GetPreviousDagRun", dag_id: dagId, logical_date, state };
    const answer = await requester.ask(request, validGetPreviousDagRun, "PreviousDagRunResult");
    const run = new Answer("GetPreviousDagRun", answer).partOrNull("dag_run");
    return run === null ? null : readDagRun(run);
  }

  async getPreviousSuccess(): Promise<SuccessfulRunDates> {
    const { context, requester } = this.#scope;
    const request = { type: "GetPrevSuccessfulDagRun", ti_id: context.taskInstanceId };
    const answer = new Answer(
      request.type,
      await requester.ask(request, validGetPreviousSuccess, "PrevSuccessfulDagRunResult"),
    );
    return withExact({
      dataIntervalStart: answer.dateOrNull("data_interval_start"),
      dataIntervalEnd: answer.dateOrNull("data_interval_end"),
      startDate: answer.dateOrNull("start_date"),
      endDate: answer.dateOrNull("end_date"),
    });
  }

  async setNote(note: string | null): Promise<void> {
    demandNewerSchema(this.#scope, "dagRuns.setNote");
    const { context, requester } = this.#scope;
    // Airflow removes the note for an empty text, and does nothing for null.
    const request = { type: "UpdateDagRunNote", ti_id: context.taskInstanceId, note: note ?? "" };
    await requester.send(request, validUpdateNote);
  }

  async getDag(dagId: string = this.#scope.context.dagId): Promise<Dag | null> {
    const request = { type: "GetDag", dag_id: dagId };
    const body = await nullWhenMissing(
      this.#scope.requester.ask(request, validGetDag, "DagResult"),
    );
    if (body === null) return null;
    const answer = new Answer("GetDag", body);
    return {
      dagId: answer.text("dag_id"),
      isPaused: answer.flag("is_paused"),
      bundleName: answer.textOrNull("bundle_name"),
      bundleVersion: answer.textOrNull("bundle_version"),
      file: answer.textOrNull("relative_fileloc"),
      owners: answer.textOrNull("owners"),
      tags: answer.list("tags").map(String),
      ...withExact({ nextRun: answer.dateOrNull("next_dagrun") }),
    };
  }

  #refer(run: DagRunRef): WireMap {
    const { dagId, runId } = this.#scope.context;
    return { dag_id: run.dagId ?? dagId, run_id: run.runId ?? runId };
  }
}
