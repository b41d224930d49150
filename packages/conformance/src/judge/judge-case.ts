import type { LogRecord } from "@parlance/coordinator";
import type { ConformanceCase, Expectation, RecordPattern } from "../case/case-types.ts";
import type { SeenFrame } from "../link/frame-log.ts";
import { messageType } from "../link/message-type.ts";
import type { CaseEvidence } from "../run/run-case.ts";
import { type BrokenRule, brokenRules } from "./invariants.ts";
import { judgeParsed, type ParsedMismatch } from "./judge-parsed.ts";
import { type Mismatch, match, matchJson, show } from "./match.ts";

/** Something that is not as the case, or the protocol, wants it. */
export interface Finding {
  /** What it is about: `state`, `exit`, `requests`, …, or the rule that was broken. */
  readonly about: string;
  readonly message: string;
  readonly expected?: string;
  readonly seen?: string;
  /** The frame it was found in. */
  readonly frame?: SeenFrame;
  /** The body that was expected in a frame, as the pattern of the case. */
  readonly wanted?: RecordPattern;
}

/** Holds what was seen against what the case expects, and against the rules of every run. */
export function judgeCase(wanted: ConformanceCase, evidence: CaseEvidence): readonly Finding[] {
  const { expect } = wanted;
  return [
    ...ending(wanted, evidence),
    ...values("xcoms", expect.xcoms, evidence.xcoms),
    ...values("variables", expect.variables, evidence.variables),
    ...requests(expect, evidence.frames),
    ...terminal(expect, evidence),
    ...logs(expect, evidence.records),
    ...judgeParsed(expect.parsed, evidence.frames).map(asFinding),
    ...carriers(expect, evidence.frames),
    ...(expect.bundle === undefined ? [] : match(expect.bundle, evidence.bundle)).map((mismatch) =>
      fromMismatch("bundle", mismatch),
    ),
    ...brokenRules(evidence)
      .filter((rule) => !isExcused(rule, expect))
      .map(toFinding),
  ];
}

/** On a link that the kit itself broke, a frame or a line that stops short is the kit's doing. */
function isExcused({ rule, frame }: BrokenRule, { brokenLink }: Expectation): boolean {
  if (brokenLink !== true) return false;
  if (rule === "end/report-confirmed" || rule === "logs/readable-lines") return true;
  return rule === "frames/readable" && frame === undefined;
}

function toFinding({ rule, message, frame }: BrokenRule): Finding {
  return { about: rule, message, ...(frame !== undefined && { frame }) };
}

function* ending(wanted: ConformanceCase, evidence: CaseEvidence): Iterable<Finding> {
  const { state, exit, withinSeconds } = wanted.expect;
  const { finalState, exitCode, error } = evidence.result;
  if (evidence.late) {
    const message = `it still ran after ${wanted.deadlineSeconds} s, the case's deadline, and was ended`;
    yield { about: "deadline", message };
    return;
  }
  const states = typeof state === "string" ? [state] : state;
  if (states !== undefined && !states.includes(finalState)) {
    const why = error === undefined ? "" : ` (${error.code}: ${error.message})`;
    yield differs("state", states.join(" or "), `${finalState}${why}`);
  }
  const wantedExit = exitOf(exit);
  if (wantedExit !== undefined && !wantedExit.holds(exitCode)) {
    yield differs("exit", wantedExit.words, String(exitCode));
  }
  if (withinSeconds !== undefined && evidence.seconds > withinSeconds) {
    yield differs("time", `at most ${withinSeconds} s`, `${evidence.seconds.toFixed(1)} s`);
  }
}

function exitOf(
  exit: Expectation["exit"],
): { readonly words: string; readonly holds: (code: number | null) => boolean } | undefined {
  if (exit === undefined) return undefined;
  if (exit === "zero") return { words: "exit code 0", holds: (code) => code === 0 };
  if (exit === "nonzero") {
    return { words: "an exit code other than 0", holds: (code) => code !== null && code !== 0 };
  }
  return { words: `exit code ${exit}`, holds: (code) => code === exit };
}

function* values(
  about: string,
  patterns: { readonly [key: string]: unknown } | undefined,
  seen: { readonly [key: string]: unknown },
): Iterable<Finding> {
  for (const [key, pattern] of Object.entries(patterns ?? {})) {
    const isThere = Object.hasOwn(seen, key);
    if (pattern === null && isThere) yield differs(`${about}/${key}`, "none", show(seen[key]));
    if (pattern === null) continue;
    for (const mismatch of matchJson(pattern, isThere ? seen[key] : undefined)) {
      yield fromMismatch(`${about}/${key}`, mismatch);
    }
  }
}

function* requests(expect: Expectation, frames: readonly SeenFrame[]): Iterable<Finding> {
  const sent = frames.filter(({ direction }) => direction === "to-supervisor");
  const types = sent.map(({ body }) => messageType(body) ?? "no type");
  const missing = firstMissing(
    expect.requests,
    sent.map(({ body }) => body),
  );
  if (missing !== undefined) {
    const expected = `a request ${show(missing.pattern)}${missing.at === 0 ? "" : ", in this order"}`;
    yield {
      ...differs("requests", expected, types.join(", ") || "no request"),
      wanted: missing.pattern,
      ...closest(missing.pattern, sent),
    };
  }
  for (const type of expect.neverSent ?? []) {
    const frame = sent.find(({ body }) => messageType(body) === type);
    if (frame !== undefined) yield { ...differs("requests", `no ${type}`, "one came"), frame };
  }
}

function* carriers({ carrier }: Expectation, frames: readonly SeenFrame[]): Iterable<Finding> {
  if (carrier === undefined) return;
  for (const frame of frames.filter(({ direction }) => direction === "to-supervisor")) {
    for (const mismatch of match(carrier, frame.third ?? null)) {
      yield { ...fromMismatch("carrier", mismatch), frame };
    }
  }
}

function asFinding({ about, mismatch, frame }: ParsedMismatch): Finding {
  return { ...fromMismatch(about, mismatch), ...(frame !== undefined && { frame }) };
}

/** The frame of the same type: most likely the one that was meant. */
function closest(pattern: RecordPattern, sent: readonly SeenFrame[]): { frame?: SeenFrame } {
  const { type } = pattern;
  if (type === undefined) return {};
  const frame = sent.find(({ body }) => messageType(body) === type);
  return frame === undefined ? {} : { frame };
}

function* terminal(expect: Expectation, { result, frames }: CaseEvidence): Iterable<Finding> {
  if (expect.terminal === undefined) return;
  const reported = result.terminal?.["type"];
  const frame = frames.findLast(
    ({ direction, body }) =>
      direction === "to-supervisor" && reported !== undefined && messageType(body) === reported,
  );
  for (const mismatch of match(expect.terminal, result.terminal)) {
    yield {
      ...fromMismatch("terminal", mismatch),
      wanted: expect.terminal,
      ...(frame !== undefined && { frame }),
    };
  }
}

function* logs(expect: Expectation, records: readonly LogRecord[]): Iterable<Finding> {
  const missing = firstMissing(expect.logs, records);
  if (missing !== undefined) {
    const order = missing.at === 0 ? "" : ` after ${missing.at} others`;
    yield differs("logs", `a record ${show(missing.pattern)}${order}`, showRecords(records));
  }
  for (const pattern of expect.neverLogged ?? []) {
    const record = records.find((one) => match(pattern, one).length === 0);
    if (record !== undefined) yield differs("logs", `no record ${show(pattern)}`, show(record));
  }
  if (expect.counted !== undefined) yield* counted(expect.counted, records);
}

function* counted(
  { event, count }: NonNullable<Expectation["counted"]>,
  records: readonly LogRecord[],
): Iterable<Finding> {
  const numbers = records.filter((record) => record.event === event).map(({ n }) => n);
  if (numbers.length !== count) {
    yield differs("logs", `${count} records "${event}"`, `${numbers.length} of them`);
  }
  const wrong = numbers.findIndex((n, at) => n !== at);
  if (wrong !== -1)
    yield differs("logs", `n ${wrong} in place ${wrong}`, `n ${show(numbers[wrong])}`);
}

/** The first pattern that finds nothing behind what the one before it found. */
function firstMissing(
  patterns: readonly RecordPattern[] | undefined,
  seen: readonly unknown[],
): { readonly pattern: RecordPattern; readonly at: number } | undefined {
  let from = 0;
  for (const [at, pattern] of (patterns ?? []).entries()) {
    const found = seen.findIndex((one, place) => place >= from && match(pattern, one).length === 0);
    if (found === -1) return { pattern, at };
    from = found + 1;
  }
  return undefined;
}

function differs(about: string, expected: string, seen: string): Finding {
  return { about, message: `expected ${expected}, seen ${seen}`, expected, seen };
}

function fromMismatch(about: string, { path, expected, seen }: Mismatch): Finding {
  return differs(`${about}${path}`, expected, seen);
}

function showRecords(records: readonly LogRecord[]): string {
  const shown = records
    .slice(0, 10)
    .map(({ level, logger, event }) => `${level} ${logger}: ${show(event)}`);
  const more = records.length > 10 ? ` and ${records.length - 10} more` : "";
  return shown.length === 0 ? "no record" : `${shown.join("; ")}${more}`;
}
