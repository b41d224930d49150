import { findSchemaProblem } from "@parlance/protocol/json-schema";
import { isMap } from "../dag/reader.ts";
import type { RunnableDag } from "../dag/runnable-dag.ts";
import { DagRunError } from "./dag-run-error.ts";

/**
 * Refuses a run whose params are not as the Dag has them, before any of its tasks is tried: Airflow
 * refuses it where the run is triggered.
 *
 * @param conf - of the run; keys that are no params may have any value
 * @throws DagRunError `bad-request`, which names every param that is wrong
 */
export function checkParams(
  { dagId, params }: Pick<RunnableDag, "dagId" | "params">,
  conf: { readonly [key: string]: unknown },
): void {
  const problems = params.flatMap(({ name, hasDefault, default: fallback, schema }) => {
    const isGiven = Object.hasOwn(conf, name);
    if (!isGiven && !hasDefault)
      return [`param ${JSON.stringify(name)} has no default, give a value`];
    if (!isGiven && isMap(fallback) && "__type" in fallback) return []; // a date, say: no JSON
    const problem = findSchemaProblem(isGiven ? conf[name] : fallback, schema);
    if (problem === undefined) return [];
    return [`${isGiven ? "param" : "the default of param"} ${JSON.stringify(name)} ${problem}`];
  });
  if (problems.length === 0) return;
  const message = `a run of Dag ${JSON.stringify(dagId)} can't begin: ${problems.join("; ")}`;
  throw new DagRunError("bad-request", message);
}
