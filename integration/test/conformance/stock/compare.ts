import { isDeepStrictEqual } from "node:util";
import type { CaseVerdict, Finding, SeenFrame } from "@parlance/conformance";
import type { SuperviseResult } from "@parlance/test-kit";
import { callsMade, callsOf } from "./api-calls.ts";
import { comparable } from "./comparable.ts";
import { judgeStock, stockEvidence } from "./observe.ts";

/** What is compared of a case. */
export type Part =
  | "verdict"
  | "state"
  | "exit"
  | "requests"
  | "answers"
  | "calls"
  | "xcoms"
  | "variables"
  | "log"
  | "stdout"
  | "stderr";

/** Something that the kit's own run and the real supervisor saw differently. */
export interface Difference {
  readonly part: Part;
  /** JSON, cut. */
  readonly ours: string;
  readonly stock: string;
}

const MAX_SHOWN = 300;
/** What an SDK says on a busy machine. */
const SLOW = /^Still waiting for the supervisor/;

/** Holds what the real supervisor saw of a case against what the kit's own run saw, part by part. */
export function compare(ours: CaseVerdict, stock: SuperviseResult): readonly Difference[] {
  const { case: one, evidence } = ours;
  if (evidence === undefined) throw new Error(`${one.id} was not run by the kit`);
  const seen = stockEvidence(one, evidence, stock);
  const findings = judgeStock(one, evidence, stock);
  const id = startedAs(evidence.frames);
  const pairs: readonly (readonly [Part, unknown, unknown])[] = [
    ["verdict", verdictOf(ours.findings), verdictOf(findings)],
    ["state", evidence.result.finalState, seen.result.finalState],
    ["exit", evidence.result.exitCode, seen.result.exitCode],
    [
      "requests",
      framesOf(evidence.frames, "to-supervisor"),
      framesOf(seen.frames, "to-supervisor"),
    ],
    ["answers", framesOf(evidence.frames, "to-task"), framesOf(seen.frames, "to-task")],
    ["calls", callsOf(evidence, id), callsMade(stock.apiCalls)],
    ["xcoms", evidence.xcoms, seen.xcoms],
    ["variables", evidence.variables, seen.variables],
    ["log", recordsOf(evidence.records, "log"), recordsOf(stock.taskLog, "log")],
    ["stdout", recordsOf(evidence.records, "stdout"), recordsOf(stock.taskLog, "stdout")],
    ["stderr", recordsOf(evidence.records, "stderr"), recordsOf(stock.taskLog, "stderr")],
  ];
  return pairs
    .filter(([, a, b]) => !isDeepStrictEqual(a, b))
    .map(([part, a, b]) => ({ part, ...apart(a, b) }));
}

type Fields = { readonly [name: string]: unknown };

function startedAs(frames: readonly SeenFrame[]): string {
  const [first] = frames;
  return String(((first?.body as Fields | undefined)?.["ti"] as Fields | undefined)?.["id"]);
}

/**
 * A verdict with what was found: two failures for different reasons are not the same. How long it took is nobody's fault: the
 * one process plays many cases at a time.
 */
function verdictOf(all: readonly Finding[]): unknown {
  const findings = all.filter(({ about }) => about !== "time");
  return findings.length === 0
    ? "passed"
    : ["failed", ...new Set(findings.map(({ about }) => about))];
}

/** The start-up details are left out: those of stock are made of ours. */
function framesOf(frames: readonly SeenFrame[], wanted: SeenFrame["direction"]): unknown {
  return frames
    .filter(({ direction, body }) => direction === wanted && typeOf(body) !== "StartupDetails")
    .map(({ id, body, third, fault }) => [
      fault ?? String(id),
      comparable(body),
      comparable(third),
    ]);
}

const typeOf = (body: unknown): unknown => (body as Fields | undefined)?.["type"];

/** What the process wrote by itself, and what came over the log channel: no order holds between them. */
function recordsOf(records: readonly Fields[], part: "log" | "stdout" | "stderr"): unknown {
  const printed = (record: Fields): Part =>
    record["logger"] === "task.stdout"
      ? "stdout"
      : record["logger"] === "task.stderr"
        ? "stderr"
        : "log";
  const there = records.filter((record) => !SLOW.test(String(record["event"])));
  return there.filter((record) => printed(record) === part).map(withoutMoments);
}

/** Airflow 3.4 adds the id of the task instance to every record. */
function withoutMoments({ timestamp: _, ti_id: _id, ...record }: Fields): unknown {
  return record;
}

/** The two sides, from the place on where lists differ. */
function apart(ours: unknown, stock: unknown): Pick<Difference, "ours" | "stock"> {
  if (!Array.isArray(ours) || !Array.isArray(stock))
    return { ours: show(ours), stock: show(stock) };
  const at = ours.findIndex((one, place) => !isDeepStrictEqual(one, stock[place]));
  const from = at === -1 ? ours.length : at;
  const fields = fieldsApart(ours[from], stock[from]);
  if (fields !== undefined) return { ours: `at ${from}: ${fields.ours}`, stock: fields.stock };
  return { ours: shownFrom(ours, from), stock: shownFrom(stock, from) };
}

/** Of two records or calls, the fields that are not the same. */
function fieldsApart(
  ours: unknown,
  stock: unknown,
): Pick<Difference, "ours" | "stock"> | undefined {
  if (!isRecord(ours) || !isRecord(stock)) return undefined;
  const names = new Set([...Object.keys(ours), ...Object.keys(stock)]);
  const apart = [...names].filter((name) => !isDeepStrictEqual(ours[name], stock[name]));
  const of = (one: Fields): string =>
    show(Object.fromEntries(apart.map((name) => [name, one[name] ?? null])));
  return { ours: of(ours), stock: of(stock) };
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function shownFrom(list: readonly unknown[], from: number): string {
  return from >= list.length ? `nothing at ${from}` : `at ${from}: ${show(list[from])}`;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > MAX_SHOWN
    ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)`
    : text;
}
