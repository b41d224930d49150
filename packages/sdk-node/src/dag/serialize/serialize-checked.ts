import { RegistrationError } from "../../errors.ts";
import type { DagModel } from "../dag-model.ts";
import { serializedDagProblems } from "./check-serialized-dag.ts";
import { type DagFile, type SerializedDag, serializeDag } from "./serialize-dag.ts";

/**
 * A Dag in Airflow's own form, held to what Airflow would refuse it for.
 *
 * @throws RegistrationError `bad-option` with every problem
 */
export function serializeChecked(dag: DagModel, file: DagFile): SerializedDag {
  const document = serializeDag(dag, file);
  const problems = serializedDagProblems(document);
  if (problems.length === 0) return document;
  const message = `dag(${JSON.stringify(dag.dagId)}): Airflow would not take it: ${problems.join("; ")}`;
  throw new RegistrationError("bad-option", message);
}
