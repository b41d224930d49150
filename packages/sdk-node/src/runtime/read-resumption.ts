import type { StartupDetails } from "../context.ts";
import type { HumanAnswer, Resumption } from "../outcomes/resumption.ts";
import { DeferralError } from "../outcomes/task-error.ts";
import { decodeValue } from "../values/decode-value.ts";

/** What Airflow writes as the method when the waiting itself failed. */
const FAILED_METHOD = "__fail__";
const TIMEOUT = "Trigger timeout";

/**
 * What the handler gets as `resumed`.
 *
 * @throws DeferralError when the waiting failed: the task fails, as Python's does
 */
export function readResumption({ next }: StartupDetails): Resumption | null {
  if (next === null) return null;
  const { method } = next;
  const kwargs = readKwargs(next.kwargs);
  if (method === FAILED_METHOD) throw deferralError(kwargs);
  const { event, ...own } = kwargs;
  return { method, event, kwargs: own, answer: readAnswer(event) };
}

/** What was given, with the event. Airflow's schema also has it as text: JSON of the same. */
function readKwargs(sent: unknown): { readonly [key: string]: unknown } {
  const kwargs = typeof sent === "string" && sent !== "" ? (JSON.parse(sent) as unknown) : sent;
  const decoded = decodeValue(kwargs || {}, "next_kwargs");
  if (isMap(decoded)) return decoded;
  throw new TypeError("the kwargs that the task is resumed with are no map");
}

function deferralError(kwargs: { readonly [key: string]: unknown }): DeferralError {
  const error = String(kwargs["error"] ?? "Unknown");
  const lines = kwargs["traceback"];
  const traceback = Array.isArray(lines)
    ? lines.join("")
    : typeof lines === "string"
      ? lines
      : null;
  if (error === TIMEOUT) {
    const message = "what the task waited for had not happened when its time was over";
    return new DeferralError("trigger-timeout", message, traceback);
  }
  const last = traceback?.trimEnd().split("\n").at(-1);
  const message = last === undefined || last === "" ? error : `${error}: ${last}`;
  return new DeferralError("trigger-failed", `the trigger failed: ${message}`, traceback);
}

function readAnswer(event: unknown): HumanAnswer | null {
  if (typeof event !== "object" || event === null) return null;
  const fields = event as { readonly [key: string]: unknown };
  const { chosen_options: chosen, params_input: params, responded_by_user: user } = fields;
  if (!Array.isArray(chosen) || !("responded_at" in fields)) return null;
  return {
    chosenOptions: chosen.map(String),
    params: isMap(params) ? params : {},
    respondedAt: readDate(fields["responded_at"]),
    respondedBy: isMap(user)
      ? { id: String(user["id"] ?? ""), name: String(user["name"] ?? "") }
      : null,
    timedOut: fields["timedout"] === true,
  };
}

function readDate(value: unknown): Date | null {
  return value instanceof Date ? new Date(value.getTime()) : null; // a plain one
}

function isMap(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
