import { relative } from "node:path";
import type { TaskChannel, WireMap } from "@parlance/framing";
import { validate as validParsingResult } from "@parlance/protocol/validators/2026-06-16/DagFileParsingResult.js";
import { Requester } from "../client/requester.ts";
import { errorText } from "../logs/error-detail.ts";
import type { SessionParts } from "./session-parts.ts";
import type { TaskControl } from "./task-control.ts";

/**
 * Answers the Dag processor of Airflow 3.4, which starts every handler bundle too: there are no
 * Dags in this file. When the program could not even be loaded, that is told as an import error.
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
  await parts.flush(1000); // the Dag processor allows 5 s from the answer to the exit
  const requester = new Requester(channel, { carrier: null, onSlow: () => {} });
  const body = {
    type: "DagFileParsingResult",
    fileloc: file,
    serialized_dags: [],
    warnings: null,
    import_errors: stop === undefined ? null : { [path]: errorText(stop.error) },
  };
  await requester.send(body, validParsingResult);
  return 0;
}
