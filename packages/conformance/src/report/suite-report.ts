import { shellQuote } from "@parlance/bundle";
import type { LogRecord } from "@parlance/coordinator";
import { toExactJson } from "@parlance/coordinator";
import type { SchemaVersion } from "@parlance/protocol";
import { crossCheck, type Disagreement } from "../capabilities/cross-check.ts";
import { DIMENSIONS } from "../capabilities/dimensions.ts";
import type { Capabilities } from "../capabilities/read-capabilities.ts";
import { type Mark, markOf } from "../capabilities/render-matrix.ts";
import { TIERS, type Tier } from "../case/case-types.ts";
import { type KnownFailing, unexpectedPasses } from "../known-failing.ts";
import type { SeenFrame } from "../link/frame-log.ts";
import type { CaseVerdict } from "../run/run-suite.ts";

/** A run of the kit, as data: everything in it is JSON. */
export interface SuiteReport {
  readonly kit: string;
  /** The command of the runtime. */
  readonly argv: readonly string[];
  readonly startedAt: string;
  readonly seconds: number;
  /** Cases of this tier and the more binding ones decide. */
  readonly level: Tier;
  readonly passed: boolean;
  readonly tiers: { readonly [T in Tier]: TierCount };
  readonly cases: readonly CaseReport[];
  /** Known failures that passed. */
  readonly unexpectedPasses: readonly string[];
  readonly matrix: readonly MatrixRow[];
  /** Where the declaration and what was seen differ. Empty without a declaration. */
  readonly disagreements: readonly Disagreement[];
}

/** How many runs of cases of a tier came out how; a case counts once for each schema version. */
export interface TierCount {
  readonly passed: number;
  readonly failed: number;
  readonly known: number;
  readonly notDeclared: number;
  readonly notApplicable: number;
}

/** A line of the capability matrix: what the runtime declares, and what was seen. */
export interface MatrixRow {
  readonly dimension: string;
  readonly tier: Tier;
  readonly declared: Mark | "–";
  readonly seen: "passed" | "failed" | "not tested";
}

/** How a case came out with one schema version. */
export interface CaseReport {
  readonly id: string;
  readonly title: string;
  readonly tier: Tier;
  readonly proves: readonly string[];
  readonly version: SchemaVersion;
  readonly outcome: "passed" | "failed" | "known-failing" | "not-declared" | "not-applicable";
  /** Why it does not apply. */
  readonly reason?: string;
  readonly seconds: number;
  readonly findings: readonly FindingReport[];
  /** The frames, of a case that failed. */
  readonly frames?: readonly FrameReport[];
  /** The records, of a case that failed. */
  readonly records?: readonly LogRecord[];
  /** The command that runs it again. */
  readonly again: string;
}

/** One thing that is not as it should be. */
export interface FindingReport {
  readonly about: string;
  readonly message: string;
  readonly expected?: string;
  readonly seen?: string;
  readonly frame?: FrameReport;
  /** The body that was expected in a frame: a pattern, in the words of `docs/writing-cases.md`. */
  readonly wanted?: unknown;
}

/** A frame with its values as exact JSON. */
export interface FrameReport {
  readonly direction: SeenFrame["direction"];
  readonly atMs: number;
  readonly id?: string;
  readonly body?: unknown;
  readonly third?: unknown;
  readonly hex: string;
  readonly bytes: number;
  readonly fault?: string;
}

/** What {@link buildReport} is made of. */
export interface ReportInput {
  readonly kit: string;
  readonly argv: readonly string[];
  readonly startedAt: Date;
  readonly seconds: number;
  readonly level: Tier;
  readonly verdicts: readonly CaseVerdict[];
  readonly knownFailing: KnownFailing;
  readonly capabilities?: Capabilities | undefined;
  /** Only some cases were asked for: a dimension that was not tested is no news then. @default false */
  readonly partial?: boolean | undefined;
}

const MAX_FRAMES = 200;
const MAX_RECORDS = 200;

/** Makes a report of the verdicts of a run. */
export function buildReport(input: ReportInput): SuiteReport {
  const { kit, argv, startedAt, seconds, level, verdicts, knownFailing, capabilities } = input;
  const cases = verdicts.map((verdict) => reportCase(verdict, input));
  const passes = unexpectedPasses(knownFailing, verdicts);
  const deciding = TIERS.slice(0, TIERS.indexOf(level) + 1);
  const failed = cases.some(({ tier, outcome }) => deciding.includes(tier) && outcome === "failed");
  const tiers = Object.fromEntries(TIERS.map((tier) => [tier, countTier(tier, cases)]));
  return {
    kit,
    argv,
    startedAt: startedAt.toISOString(),
    seconds,
    level,
    passed: !failed && passes.length === 0 && cases.length > 0,
    tiers: tiers as SuiteReport["tiers"],
    cases,
    unexpectedPasses: passes,
    matrix: DIMENSIONS.map((dimension) => ({
      dimension: dimension.name,
      tier: dimension.tier,
      declared: capabilities === undefined ? "–" : markOf(dimension, capabilities),
      seen: seenOf(dimension.name, cases),
    })),
    disagreements: disagreementsOf(input),
  };
}

function disagreementsOf({ capabilities, verdicts, partial }: ReportInput): Disagreement[] {
  if (capabilities === undefined) return [];
  const all = crossCheck(capabilities, verdicts);
  return all.filter(({ kind }) => partial !== true || kind !== "declared-but-not-tested");
}

function countTier(tier: Tier, cases: readonly CaseReport[]): TierCount {
  const count = (outcome: CaseReport["outcome"]): number =>
    cases.filter((one) => one.tier === tier && one.outcome === outcome).length;
  return {
    passed: count("passed"),
    failed: count("failed"),
    known: count("known-failing"),
    notDeclared: count("not-declared"),
    notApplicable: count("not-applicable"),
  };
}

function seenOf(dimension: string, cases: readonly CaseReport[]): MatrixRow["seen"] {
  const ran = cases.filter(
    ({ proves, outcome }) =>
      proves.includes(dimension) && outcome !== "not-declared" && outcome !== "not-applicable",
  );
  if (ran.length === 0) return "not tested";
  return ran.every(({ outcome }) => outcome === "passed") ? "passed" : "failed";
}

function reportCase(verdict: CaseVerdict, { argv, knownFailing }: ReportInput): CaseReport {
  const { case: one, version, outcome, reason, findings, evidence } = verdict;
  const failed = outcome === "failed";
  return {
    id: one.id,
    title: one.title,
    tier: one.tier,
    proves: one.proves,
    version,
    outcome: failed && knownFailing.has(one.id) ? "known-failing" : outcome,
    ...(reason !== undefined && { reason }),
    seconds: (evidence?.result.durationMs ?? 0) / 1_000,
    findings: findings.map(({ frame, ...rest }) => ({
      ...rest,
      ...(frame !== undefined && { frame: reportFrame(frame) }),
    })),
    ...(failed && {
      frames: evidence?.frames.slice(0, MAX_FRAMES).map(reportFrame) ?? [],
      records: [...(evidence?.records ?? []), ...(evidence?.supervisor ?? [])].slice(
        0,
        MAX_RECORDS,
      ),
    }),
    again: `parlance conformance --case ${one.id} --schema-version ${version} -- ${argv.map(shellQuote).join(" ")}`,
  };
}

function reportFrame({ id, body, third, ...rest }: SeenFrame): FrameReport {
  return {
    ...rest,
    ...(id !== undefined && { id: String(id) }),
    ...(body !== undefined && { body: asJson(body) }),
    ...(third !== undefined && { third: asJson(third) }),
  };
}

function asJson(value: unknown): unknown {
  try {
    return toExactJson(value);
  } catch (error) {
    return { $: "unshown", why: (error as Error).message };
  }
}
