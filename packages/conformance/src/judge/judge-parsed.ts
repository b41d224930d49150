import type { ParsedExpectation } from "../case/case-types.ts";
import type { SeenFrame } from "../link/frame-log.ts";
import { messageType } from "../link/message-type.ts";
import { type Mismatch, match } from "./match.ts";

/** A place where the Dags of a file are not as expected. */
export interface ParsedMismatch {
  readonly about: string;
  readonly mismatch: Mismatch;
  readonly frame?: SeenFrame;
}

/** The native Dag that a runtime registers which declares native-dag-authoring. */
export const NATIVE_DAG = "conformance_native";

/** Holds the answer to a request for the Dags of a file against what is expected. */
export function judgeParsed(
  parsed: ParsedExpectation | undefined,
  frames: readonly SeenFrame[],
): readonly ParsedMismatch[] {
  if (parsed === undefined) return [];
  const results = frames.filter(({ body }) => messageType(body) === "DagFileParsingResult");
  const [frame] = results;
  const found = (about: string, mismatches: readonly Mismatch[]): ParsedMismatch[] =>
    mismatches.map((mismatch) => ({ about, mismatch, ...(frame !== undefined && { frame }) }));
  const dag = dagOf(frame?.body);
  return [
    ...(parsed.results === undefined
      ? []
      : found("results", match(parsed.results, results.length))),
    ...(parsed.result === undefined ? [] : found("result", match(parsed.result, frame?.body))),
    ...(parsed.dag === undefined ? [] : found("dag", match(parsed.dag, dag))),
    ...Object.entries(parsed.tasks ?? {}).flatMap(([id, pattern]) =>
      found(`tasks/${id}`, match(pattern, taskOf(dag, id))),
    ),
  ];
}

type Fields = { readonly [key: string]: unknown };

function dagOf(body: unknown): Fields | undefined {
  const all = (body as { readonly serialized_dags?: unknown } | undefined)?.serialized_dags;
  for (const one of Array.isArray(all) ? all : []) {
    const dag = (one as { readonly data?: { readonly dag?: Fields } } | null)?.data?.dag;
    if (dag?.["dag_id"] === NATIVE_DAG) return dag;
  }
  return undefined;
}

function taskOf(dag: Fields | undefined, id: string): unknown {
  const tasks = dag?.["tasks"];
  const fields = (Array.isArray(tasks) ? tasks : []).map(
    (task) => (task as { readonly __var?: Fields } | null)?.__var,
  );
  return fields.find((one) => one?.["task_id"] === id);
}
