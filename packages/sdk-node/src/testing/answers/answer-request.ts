import { type Answer, type Answerers, type Asking, apiError, type Body } from "./answer.ts";
import { ASSET_ANSWERERS } from "./assets.ts";
import { CONTROL_ANSWERERS } from "./control.ts";
import { RUN_ANSWERERS } from "./runs.ts";
import { STATE_ANSWERERS } from "./states.ts";
import { VALUE_ANSWERERS, XCOM_ANSWERERS } from "./values.ts";

const ANSWERERS: Answerers = {
  ...ASSET_ANSWERERS,
  ...CONTROL_ANSWERERS,
  ...RUN_ANSWERERS,
  ...STATE_ANSWERERS,
  ...VALUE_ANSWERERS,
  ...XCOM_ANSWERERS,
};

/** Answers any request but the one that ends a task. */
export function answerRequest(body: Body, asking: Asking): Answer {
  const answerer = ANSWERERS[String(body["type"])];
  if (answerer === undefined) return apiError(400, `Unhandled request ${String(body["type"])}`);
  return answerer(body, asking);
}
