import { relative } from "node:path";
import type { TaskChannel, WireMap, WireValue } from "@parlance/framing";
import { validate as validParsingResult } from "@parlance/protocol/validators/2026-06-16/DagFileParsingResult.js";
import type { DagProgram } from "../bundle.ts";
import { Requester } from "../client/requester.ts";
import { importError } from "./import-error.ts";
import type { SessionParts } from "./session-parts.ts";
import type { TaskControl } from "./task-control.ts";

/**
 * Answers the Dag processor of Airflow 3.4 with the whole Dags of this program; it starts programs
 * without any as well, and is told that there are none. What is wrong with a Dag, or kept the program
 * from being loaded at all, is an import error of the file; other Dags are answered all the same.
 *
 * @returns the exit code
 */
export async function answerParseRequest(
  request: WireMap,
  channel: TaskChannel,
  control: TaskControl,
  parts: SessionParts,
): Promise<number> {
  const file = String(request["file"] ?? "");
  const folder = request["bundle_path"];
  const path = typeof folder === "string" ? relative(folder, file) : file;
  const { stop } = control;
  if (stop !== undefined) parts.log.error("The program could not be loaded", { error: stop.error });
  const found = stop === undefined ? await serializeDags(parts, file, path) : EMPTY;
  const problems = stop === undefined ? found.problems : [importError(stop.error)];
  await parts.flush(1000); // the Dag processor allows 5 s from the answer to the exit
  const requester = new Requester(channel, { carrier: null, onSlow: () => {} });
  const body = {
    type: "DagFileParsingResult",
    fileloc: file,
    serialized_dags: found.documents.map((data) => ({ data, last_loaded: null })),
    warnings: found.warnings.length === 0 ? null : found.warnings,
    import_errors: problems.length === 0 ? null : { [path]: problems.join("\n") },
  };
  await requester.send(body, validParsingResult);
  return 0;
}

interface Found {
  readonly documents: readonly WireValue[];
  readonly warnings: readonly WireMap[];
  readonly problems: readonly string[];
}

const EMPTY: Found = { documents: [], warnings: [], problems: [] };

async function serializeDags(
  { bundle, faults = [], log }: SessionParts,
  fileloc: string,
  relativeFileloc: string,
): Promise<Found> {
  const documents: WireValue[] = [];
  const warnings: WireMap[] = [];
  const problems: string[] = [];
  const tell = (error: unknown) => {
    log.error("A Dag could not be read", { error });
    problems.push(importError(error));
  };
  faults.forEach(tell);
  for (const dag of bundle?.dags ?? []) {
    try {
      const document = await dag.serialize({ fileloc, relativeFileloc });
      documents.push(document as unknown as WireValue);
      warnings.push(...warningsOf(dag));
    } catch (error) {
      tell(error);
    }
  }
  return { documents, warnings, problems };
}

/** What Airflow shows beside the Dag: it would hand the task to its runner of Python tasks. */
function warningsOf({ dagId, model }: DagProgram): readonly WireMap[] {
  const ids = model.tasks.flatMap(({ taskId, settings }) => {
    return settings.queue === undefined ? [taskId] : [];
  });
  if (ids.length === 0) return [];
  const message = `no queue is named for ${ids.slice(0, 5).join(", ")}${ids.length > 5 ? ", …" : ""}: the queue "default" is for Python tasks unless Airflow routes it to a coordinator`;
  return [{ dag_id: dagId, warning_type: "parlance:no-queue", message }];
}
