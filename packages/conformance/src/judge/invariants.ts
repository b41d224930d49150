import { isTerminalMessage, type SchemaVersion } from "@parlance/protocol";
import { validateBody } from "@parlance/protocol/validate";
import type { SeenFrame } from "../link/frame-log.ts";
import { messageType } from "../link/message-type.ts";
import type { CaseEvidence } from "../run/run-case.ts";

/** What every run is held to, whatever its case asks. Each is the id of a case, too, which is about it alone. */
export const RULES = [
  "frames/readable",
  "frames/fourth-element",
  "frames/ids-of-their-own",
  "messages/valid",
  "end/one-terminal-message",
  "end/report-confirmed",
  "logs/readable-lines",
  "logs/names-of-fields",
] as const;

/** A rule that was broken. */
export interface BrokenRule {
  readonly rule: (typeof RULES)[number];
  readonly message: string;
  /** The frame that broke it. */
  readonly frame?: SeenFrame;
}

/**
 * What holds on any link: frames that can be read, bodies that the schema takes, ids of their own, one terminal
 * message and nothing after it, log lines that are records and have no field that Airflow breaks on.
 */
export function brokenRules(evidence: CaseEvidence): readonly BrokenRule[] {
  return [
    ...readableFrames(evidence),
    ...freshIds(evidence),
    ...fourthElement(evidence),
    ...oneTerminal(evidence),
    ...confirmedReport(evidence),
    ...logLines(evidence),
    ...fieldNames(evidence),
  ];
}

const sent = ({ frames }: CaseEvidence): readonly SeenFrame[] =>
  frames.filter(({ direction }) => direction === "to-supervisor");

function* readableFrames(evidence: CaseEvidence): Iterable<BrokenRule> {
  for (const frame of sent(evidence)) {
    if (frame.fault !== undefined) {
      yield { rule: "frames/readable", message: frame.fault, frame };
      continue;
    }
    const fault = bodyFault(evidence.version, frame.body);
    if (fault !== undefined) yield { rule: "messages/valid", message: fault, frame };
  }
  const { error } = evidence.result;
  if (error !== undefined)
    yield { rule: "frames/readable", message: `${error.code}: ${error.message}` };
}

function bodyFault(version: SchemaVersion, body: unknown): string | undefined {
  const verdict = validateBody(version, "to-supervisor", body);
  if (verdict.valid) return undefined;
  const [first] = verdict.errors;
  return `${verdict.type ?? "a body"} is not valid in schema ${version}: ${first?.path} ${first?.message}`;
}

function* freshIds(evidence: CaseEvidence): Iterable<BrokenRule> {
  const seen = new Set<string>();
  for (const frame of sent(evidence)) {
    if (frame.id === undefined) continue;
    const id = String(frame.id);
    if (seen.has(id)) {
      yield { rule: "frames/ids-of-their-own", message: `two requests have the id ${id}`, frame };
      return;
    }
    seen.add(id);
  }
}

/** Airflow 3.4 reads a fourth one, and takes it for the id of a task instance; its own runner sends it. */
function* fourthElement(evidence: CaseEvidence): Iterable<BrokenRule> {
  const frame = sent(evidence).find(({ fourth }) => fourth === "other");
  if (frame === undefined) return;
  const message = "the fourth element of a frame is neither null nor the id of a task instance";
  yield { rule: "frames/fourth-element", message, frame };
}

function* oneTerminal(evidence: CaseEvidence): Iterable<BrokenRule> {
  const all = sent(evidence);
  const terminal = all.findIndex(({ body }) => isTerminal(body));
  if (terminal === -1) return;
  const second = all.slice(terminal + 1).find(({ body }) => isTerminal(body));
  if (second !== undefined) {
    yield {
      rule: "end/one-terminal-message",
      message: "two terminal messages came",
      frame: second,
    };
  }
}

function* confirmedReport({ leftUnanswered }: CaseEvidence): Iterable<BrokenRule> {
  const report = leftUnanswered.find((type) => isTerminalMessage(type));
  if (report === undefined) return;
  const message = `the runtime closed the link before its ${report} was answered`;
  yield { rule: "end/report-confirmed", message };
}

function isTerminal(body: unknown): boolean {
  return isTerminalMessage(messageType(body));
}

/** What the supervisor could not read of the log channel is kept, with the reason, in a record of its own. */
function* logLines({ supervisor }: CaseEvidence): Iterable<BrokenRule> {
  const unread = supervisor.find((record) => "line" in record || "line_base64" in record);
  if (unread === undefined) return;
  const line = String(unread["line"] ?? unread["line_base64"]).slice(0, 200);
  yield { rule: "logs/readable-lines", message: `${String(unread.event)}: ${line}` };
}

/** With these Airflow's own supervisor breaks off, and leaves the task alone. */
const FORBIDDEN_FIELDS = ["msg", "target", "self"];

function* fieldNames({ records }: CaseEvidence): Iterable<BrokenRule> {
  for (const record of records) {
    const name = FORBIDDEN_FIELDS.find((field) => Object.hasOwn(record, field));
    if (name === undefined) continue;
    const message = `the record ${JSON.stringify(record.event)} has a field ${name}`;
    yield { rule: "logs/names-of-fields", message };
    return;
  }
}
