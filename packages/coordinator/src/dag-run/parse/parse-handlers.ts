import { apiError, EMPTY } from "../../supervise/answers.ts";
import type { Handler, HandlerTable } from "../../supervise/attempt.ts";
import { REQUEST_HANDLERS } from "../../supervise/request-handlers.ts";

/** What a program may ask while it is asked for its Dags: Airflow's Dag processor answers these. */
const ALLOWED = [
  ...["GetVariable", "GetVariableKeys", "PutVariable", "DeleteVariable", "GetConnection"],
  ...["GetXCom", "GetXComCount", "GetXComSequenceItem", "GetXComSequenceSlice"],
  ...["GetTICount", "GetTaskStates", "GetPreviousDagRun", "GetPreviousTI", "MaskSecret"],
];

/** What is told of the conversation. */
export interface ParseListener {
  /** The one result. */
  result(body: { readonly [key: string]: unknown }): void;
  /** A message that has no place in it. */
  outOfPlace(type: string): void;
}

/** Answers of the link on which a program tells its Dags. */
export function parseHandlers(listener: ParseListener): HandlerTable {
  let hasResult = false;
  const takeResult: Handler = (body) => {
    if (hasResult) return apiError(400, "A parse result was already received");
    hasResult = true;
    listener.result(body);
    return EMPTY;
  };
  const refuse: Handler = (body) => {
    const type = String(body["type"]);
    listener.outOfPlace(type);
    return apiError(400, `${type} has no place while a Dag file is parsed`);
  };
  const table = Object.entries(REQUEST_HANDLERS).map(([type, handler]): [string, Handler] => [
    type,
    ALLOWED.includes(type) ? handler : refuse,
  ]);
  return {
    ...Object.fromEntries(table),
    // There is no run whose predecessor could be meant.
    GetPrevSuccessfulDagRun: () => ({ body: { type: "PrevSuccessfulDagRunResult" } }),
    DagFileParsingResult: takeResult,
  };
}
