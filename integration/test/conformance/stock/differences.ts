import type { ListedDifference } from "./listed.ts";

/**
 * What the kit's own supervisor and stock Airflow show differently of a case, and why. Held both ways by stock.test.ts: a
 * difference that is not here fails, and so does one that no longer occurs.
 */
export const DIFFERENCES: readonly ListedDifference[] = [
  {
    case: "frames/errors/in-their-own-place",
    parts: ["answers", "calls", "log"],
    reason:
      "The kit answers in the supervisor's place. Stock meets a server that answers 500: it asks again before it gives up, " +
      "and its detail is the HTTP client's, which the task's log shows.",
  },
  {
    case: "frames/errors/of-a-write",
    parts: ["answers", "variables", "log"],
    reason:
      "The kit replaces the answer to a write that was carried out; stock's write is refused by the server, and its detail " +
      "is the HTTP client's, which the task's log shows.",
  },
  {
    case: "messages/dag-runs",
    parts: ["answers"],
    reason:
      "The harness's API has fixed facts of Dags and runs, ours are those of the case. What a real API server answers is " +
      "compared in integration/test/airflow/client-answers.test.ts.",
  },
  {
    case: "messages/task-instances",
    parts: ["answers"],
    reason:
      "The harness's API has fixed facts of other task instances, ours are those of the case. What a real API server answers " +
      "is compared in integration/test/airflow/client-answers.test.ts.",
  },
  {
    case: "states/*",
    parts: ["log"],
    runtimes: ["broken: exit-1-on-failure"],
    reason:
      "Stock says into the task's log that the process ended with another code than 0; ours says it in a record of the " +
      "supervisor's own, which the kit keeps apart.",
  },
  {
    case: "capabilities/binding-of-a-later-kind",
    parts: ["verdict", "state", "exit", "requests", "answers", "calls", "log"],
    airflow: ["3.4.0b2"],
    reason:
      "Airflow's own client can't read a kind of binding that it does not know, and the task is never started: only a later " +
      "Airflow would send one.",
  },
  {
    case: "shutdown/*",
    parts: ["verdict", "state", "exit", "requests", "answers", "calls", "log"],
    airflow: ["3.4.0b2"],
    reason:
      "The supervisor of 3.4.0b2 dies of SIGTERM at once: it passes nothing on, tells nobody, and leaves the task running. " +
      "That of 3.3.2 passes the signal on and reports what comes of it, as ours does.",
  },
];
