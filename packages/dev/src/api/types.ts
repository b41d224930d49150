/**
 * Every request and answer of the development server's API, and its stream of events. Nothing here
 * imports anything but its neighbours, so the page can use it as it is.
 *
 * All of it is JSON in UTF-8 under the same origin as the page; the session cookie is the only
 * credential. Texts (ids, log events, values, error messages) are data of whoever wrote the tasks:
 * show them as text. Times are ISO 8601 in UTC (`2026-01-02T03:04:05.678Z`); durations are numbers named
 * after their unit. Ids stand in paths as `encodeURIComponent` writes them.
 *
 * | request                                                              | answer                            |
 * | -------------------------------------------------------------------- | --------------------------------- |
 * | `GET /api/dev/project`                                               | {@link Project}                   |
 * | `GET /api/dev/dags/{dagId}`                                          | {@link DagDetail}                 |
 * | `GET /api/dev/dags/{dagId}/runs?limit=&before=`                      | {@link RunPage}                   |
 * | `POST /api/dev/dags/{dagId}/runs` with {@link StartRun}              | 202 {@link RunStarted}            |
 * | `GET /api/dev/dags/{dagId}/runs/{runId}`                             | {@link RunDetail}                 |
 * | `POST /api/dev/dags/{dagId}/runs/{runId}/cancel` with `{}`           | 202 {@link Accepted}              |
 * | `POST /api/dev/dags/{dagId}/runs/{runId}/resume` with `{}`           | 202 {@link Accepted}: goes on with a run that is not active |
 * | `GET /api/dev/dags/{dagId}/runs/{runId}/tasks/{taskId}?mapIndex=`    | {@link TaskInstanceDetail}        |
 * | `GET /api/dev/dags/{dagId}/runs/{runId}/tasks/{taskId}/xcoms?mapIndex=` | {@link XComList}               |
 * | `POST /api/dev/dags/{dagId}/runs/{runId}/tasks/{taskId}/retry` with {@link RetryTask} | 202 {@link Accepted} |
 * | `GET /api/dev/attempts/{attemptId}/log?offset=&limit=`               | {@link LogPage}                   |
 * | `GET /api/dev/attempts/{attemptId}/frames?offset=&limit=`            | {@link FramePage}                 |
 * | `GET /api/dev/events`                                                | `text/event-stream` of {@link DevEvent} |
 * | `GET /api/v2/dags/{dagId}/tasks?order_by=`, `…/tasks/{taskId}`       | as Airflow 3.3.2 answers          |
 * | `GET /openapi.json`                                                  | OpenAPI 3.1 of those two          |
 *
 * Anything that fails under `/api/dev` is an {@link ErrorAnswer}; without a session 401.
 */

export type {
  Attempt,
  FrameEntry,
  FramePage,
  LogEntry,
  LogPage,
  TaskInstanceDetail,
  Wait,
  XComEntry,
  XComList,
} from "./attempt-types.ts";
export type { AttemptNews, DevEvent } from "./event-types.ts";
export type {
  DagDetail,
  DagSummary,
  LoadError,
  Param,
  Project,
  Task,
  TaskGroup,
} from "./project-types.ts";
export type {
  GridCell,
  GridRun,
  InstanceRef,
  RetryTask,
  RunDetail,
  RunPage,
  RunStarted,
  RunState,
  RunSummary,
  StartRun,
  TaskInstance,
  TaskState,
} from "./run-types.ts";

/** The answer to whatever could not be done. */
export interface ErrorAnswer {
  readonly error: {
    /**
     * `bad-request`, `unauthorized`, `forbidden`, `not-found`, `method-not-allowed`, `conflict`,
     * `too-large`, `unsupported-media-type`, `too-many`, `unavailable`, `internal`.
     */
    readonly code: string;
    /** For people; one line or several. */
    readonly message: string;
  };
}

/** It is being done; events tell how it goes. */
export interface Accepted {
  readonly accepted: true;
}
