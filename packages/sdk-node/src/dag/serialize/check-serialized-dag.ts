import { checkGraph } from "./check/check-graph.ts";
import { timetableFacts } from "./check/check-timetable.ts";
import { checkFields } from "./check/dag-fields.ts";
import { isRecord, type JsonRecord, type Tell } from "./check/problems.ts";

/** Airflow's own default of `max_active_runs`; its configuration may say another. */
const MAX_ACTIVE_RUNS = 16;

/**
 * What Airflow 3.4 would refuse a serialised Dag for, each as `/place in the document says what`; empty
 * for one that it takes. It looks at what Airflow's own check looks at: the schema, ids, what Airflow
 * reads each field as, the timetable's limits, and the graph.
 *
 * @param document - `{"__version": 3, "dag": {…}}`, plain JSON
 */
export function serializedDagProblems(document: unknown): readonly string[] {
  const problems: string[] = [];
  const tell: Tell = (path, problem) => problems.push(`${path === "" ? "it" : path} ${problem}`);
  checkFields(document, "", tell);
  if (problems.length > 0) return problems; // what follows takes the form for granted
  const dag = (document as JsonRecord)["dag"] as JsonRecord;
  checkGraph(dag, "/dag", tell);
  checkLimits(dag, tell);
  return problems;
}

function checkLimits(dag: JsonRecord, tell: Tell): void {
  const { activeRunsLimit, isUnscheduled } = timetableFacts(dag["timetable"]) ?? {};
  const runs = dag["max_active_runs"] ?? MAX_ACTIVE_RUNS;
  if (activeRunsLimit !== undefined && (runs as number) > activeRunsLimit) {
    tell(
      "/dag/max_active_runs",
      `is ${runs}, but its schedule allows ${activeRunsLimit} at a time`,
    );
  }
  const hasStart = dag["start_date"] !== undefined || hasStartArgument(dag["default_args"]);
  if (dag["catchup"] === true && isUnscheduled !== true && !hasStart) {
    tell("/dag/catchup", "is true, but there is no start_date to catch up from");
  }
}

function hasStartArgument(defaults: unknown): boolean {
  const values = isRecord(defaults) ? (defaults["__var"] ?? defaults) : undefined;
  return isRecord(values) && Object.hasOwn(values, "start_date");
}
