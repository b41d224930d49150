import type { CaseEvidence, SeenFrame } from "@parlance/conformance";
import type { ApiCall } from "@parlance/test-kit";
import { CALL_RULES, type Call, type Fields } from "./call-rules.ts";
import { comparable, exact } from "./comparable.ts";

/**
 * The calls that stock's supervisor would make for what the kit's own run saw, in their order. What it does at the start
 * (`run`) and beside the task (heartbeats) is left out.
 *
 * @param id - of the task instance
 * @throws Error for a request that no rule is known for
 */
export function callsOf({ frames, result }: CaseEvidence, id: string): readonly Call[] {
  const sent = frames.filter(({ direction }) => direction === "to-supervisor");
  return [...sent.flatMap((frame) => callsFor(frame, id)), ...callsAtTheEnd(result, id)].map(told);
}

function callsFor({ body, fault }: SeenFrame, id: string): readonly Call[] {
  if (fault !== undefined) return [];
  const message = (body ?? {}) as Fields;
  const type = String(message["type"]);
  const rule = CALL_RULES[type];
  if (rule !== undefined) return [rule(message, id)].flat();
  throw new Error(
    `no rule says what call to the API ${type} becomes: add one to stock/call-rules.ts`,
  );
}

/** What stock tells the server once the process has ended. */
function callsAtTheEnd(result: CaseEvidence["result"], id: string): readonly Call[] {
  const { finalState, exitCode, terminal } = result;
  const reported = terminal?.["type"] === "TaskState" ? terminal : {};
  const toState = (state: unknown): Call => ({
    method: "PATCH",
    path: `task-instances/${id}/state`,
    body: { state, end_date: "", retry_reason: reported["retry_reason"] ?? null },
  });
  if (exitCode !== 0) return finalState === "failed" ? [toState("failed")] : [];
  return reported["state"] === undefined ? [] : [toState(reported["state"])];
}

/** The calls that the real supervisor made. */
export function callsMade(calls: readonly ApiCall[]): readonly Call[] {
  return calls.filter(({ method, path }) => !isOfItsOwn(method, path)).map(told);
}

const isOfItsOwn = (method: string, path: string): boolean =>
  /\/(?:heartbeat|run)$/.test(path) && ["PUT", "PATCH"].includes(method);

/** An XCom is a value; in every other body what is null may as well be absent. */
function told({ method, path, query, body }: Call): Call {
  return {
    method,
    path,
    ...(query && Object.keys(query).length > 0 && { query: comparable(query) as Fields }),
    ...(body !== undefined && { body: path.startsWith("xcoms/") ? exact(body) : comparable(body) }),
  };
}
