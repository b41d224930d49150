import { Timestamp } from "@parlance/framing";
import type { SentFrame } from "./read-sent-frames.ts";
import type { RecordedFrame } from "./recordings.ts";

/** Scenarios whose requests come from several threads or coroutines, in any order. */
const UNORDERED: ReadonlySet<string> = new Set(["threads", "async_vars"]);

/** Requests that are not sent under our coordinator, with the reason. */
const NOT_ASKED: Readonly<Record<string, readonly string[]>> = {
  // The recorded supervisor left `first_task_reschedule_start_date` out, so the runner had to ask.
  "3.4.0b2": ["GetTaskRescheduleStartDate"],
};

/** XComs, by scenario or everywhere, whose values depend on answers that no store would give. */
const OTHER_VALUES: Readonly<Record<string, string>> = {
  // Map index 2 of a task that is not mapped was answered as if it were there.
  pull_kinds: "return_value",
  // The XCom that the last link is made of was answered as if the task had not just set it.
  trig: "_link_TriggerDagRunLink",
  trig_defer: "_link_TriggerDagRunLink",
  trig_wait: "_link_TriggerDagRunLink",
  trig_wait_failed: "_link_TriggerDagRunLink",
};

/** Lists that are made of a Python set: in any order. */
const SETS: ReadonlySet<string> = new Set(["skipped", "tasks"]);

/** Points in time that are those of the moment. */
const MOMENTS: ReadonlySet<string> = new Set([
  "end_date",
  "reschedule_date",
  "expires_at",
  "logical_date",
  "moment",
]);
/** The recording shows the beginning of longer ones. */
const LONG = 60;

/** What was sent otherwise than recorded, a line for each frame. */
export function differences(
  sent: readonly SentFrame[],
  recorded: readonly RecordedFrame[],
  { version, name }: { readonly version: string; readonly name: string },
): readonly string[] {
  const ours = sent.map(({ id, body, carrier }) => comparable(id, valued(body, name), carrier));
  const skipped = NOT_ASKED[version] ?? [];
  const theirs = recorded
    .filter(([, { type }]) => !skipped.includes(String(type)))
    .map(([id, body, carrier]) => comparable(id, valued(body, name), carrier));
  const isComplete = theirs.length === recorded.length;
  const [left, right] = [ours, theirs].map((rows) => {
    const texts = rows.map(({ id, ...row }) =>
      JSON.stringify(UNORDERED.has(name) || !isComplete ? row : { id, ...row }),
    );
    return UNORDERED.has(name) ? texts.toSorted() : texts;
  }) as [string[], string[]];
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => at)
    .filter((at) => left[at] !== right[at])
    .map((at) => `frame ${at}:\n    sent     ${left[at]}\n    recorded ${right[at]}`);
}

function valued(body: Readonly<Record<string, unknown>>, name: string) {
  const { key } = body;
  return key !== undefined && OTHER_VALUES[name] === key ? { ...body, value: "another" } : body;
}

function comparable(
  id: unknown,
  body: Readonly<Record<string, unknown>>,
  carrier: unknown,
): Readonly<Record<string, unknown>> {
  // With tracing on, the span is a new one each time.
  const text = JSON.stringify(carrier ?? null);
  const trace = text.replace(/(00-[0-9a-f]{32})-[0-9a-f]{16}-/, "$1-SPAN-");
  return { id, carrier: trace, body: sorted(body) };
}

function sorted(value: unknown): unknown {
  if (typeof value === "string" && value.length > LONG) return `${value.slice(0, LONG)}...`;
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const map = value as Readonly<Record<string, unknown>>;
  if (map["$ext"] === -1) return { $time: Timestamp.parse(String(map["iso"])).toISOString() };
  const keys = Object.keys(map).toSorted();
  const entries = keys.map((key) => {
    if (MOMENTS.has(key)) return [key, "a moment"];
    const value = sorted(map[key]);
    return [key, SETS.has(key) && Array.isArray(value) ? value.toSorted() : value];
  });
  return Object.fromEntries(entries);
}
