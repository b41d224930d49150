import { type Answer, answer, apiError, apiNotFound, type Body, OK } from "../answers.ts";
import type { Attempt, HandlerTable } from "../attempt.ts";
import { epochMsOf, optionalText, textOf, textsOf } from "../read-body.ts";

/**
 * Questions about Dags and runs. A coordinator knows one run, that of its task: it is answered from
 * what the task was started with, and no other run exists.
 */
export const RUN_HANDLERS: HandlerTable = {
  GetDag(body, { taskInstance, dagFile }) {
    const dagId = textOf(body["dag_id"]);
    if (dagId !== taskInstance.dagId) return apiNotFound(dagId);
    return answer("DagResult", {
      dag_id: dagId,
      is_paused: false,
      bundle_name: dagFile.bundleName,
      bundle_version: dagFile.bundleVersion,
      relative_fileloc: dagFile.path,
      owners: null,
      tags: [],
      next_dagrun: null,
    });
  },

  GetDagRun: ofOwnRun((attempt) => answer("DagRunResult", attempt.dagRun)),

  GetDagRunState: ofOwnRun(({ dagRun }) => answer("DagRunStateResult", { state: dagRun["state"] })),

  GetDRCount(body, attempt) {
    return answer("DRCount", { count: countsOwnRun(body, attempt) ? 1 : 0 });
  },

  GetPreviousDagRun: () => answer("PreviousDagRunResult", { dag_run: null }),

  // Unset fields are left out, as on stock.
  GetPrevSuccessfulDagRun: () => answer("PrevSuccessfulDagRunResult", {}),

  UpdateDagRunNote(body, attempt) {
    const note = optionalText(body["note"]);
    if (note !== null && [...note].length > 1000) {
      return apiError(422, "UpdateDagRunNote: the note has more than 1,000 characters");
    }
    attempt.setNote(note);
    return OK;
  },
};

function ofOwnRun(
  answerFor: (attempt: Attempt) => Answer,
): (body: Body, attempt: Attempt) => Answer {
  return (body, attempt) => {
    const { dagId, runId } = attempt.taskInstance;
    const same = body["dag_id"] === dagId && body["run_id"] === runId;
    return same
      ? answerFor(attempt)
      : apiNotFound(`${textOf(body["dag_id"])}/${textOf(body["run_id"])}`);
  };
}

function countsOwnRun(body: Body, { taskInstance, dagRun }: Attempt): boolean {
  const runIds = textsOf(body["run_ids"]);
  const states = textsOf(body["states"]);
  const dates = Array.isArray(body["logical_dates"]) ? body["logical_dates"] : undefined;
  return (
    body["dag_id"] === taskInstance.dagId &&
    (runIds === undefined || runIds.includes(taskInstance.runId)) &&
    (states === undefined || states.includes(textOf(dagRun["state"]))) &&
    (dates === undefined || dates.some((date) => sameMoment(date, dagRun["logical_date"])))
  );
}

function sameMoment(left: unknown, right: unknown): boolean {
  const moment = epochMsOf(left);
  return moment !== null && moment === epochMsOf(right);
}
