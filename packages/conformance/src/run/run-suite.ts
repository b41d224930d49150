import { availableParallelism } from "node:os";
import type { SchemaVersion } from "@parlance/protocol";
import { DIMENSIONS_BY_NAME } from "../capabilities/dimensions.ts";
import type { ConformanceCase } from "../case/case-types.ts";
import { type Finding, judgeCase } from "../judge/judge-case.ts";
import { whyNotApplicable } from "./applicability.ts";
import { type CaseEvidence, type RuntimeUnderTest, runCase } from "./run-case.ts";

/** How a case came out, with one schema version. */
export interface CaseVerdict {
  readonly case: ConformanceCase;
  readonly version: SchemaVersion;
  /** `not-declared`: it proves only what the runtime does not claim to have, and was not run. */
  readonly outcome: "passed" | "failed" | "not-declared" | "not-applicable";
  /** Why it does not apply. */
  readonly reason?: string;
  readonly findings: readonly Finding[];
  /** Absent for a case that was not run. */
  readonly evidence?: CaseEvidence;
}

/** Options of {@link runSuite}. */
export interface SuiteOptions {
  readonly runtime: RuntimeUnderTest;
  readonly cases: readonly ConformanceCase[];
  /** Schema versions to run with. Default those of each case. */
  readonly versions?: readonly SchemaVersion[] | undefined;
  /** Whether the runtime claims a dimension of the capability matrix. Default: all but those of native Dags. */
  readonly isDeclared?: ((dimension: string) => boolean) | undefined;
  /** Runs the cases of undeclared dimensions too: one that fails there stays `not-declared`. Default false. */
  readonly all?: boolean | undefined;
  /** Cases at the same time. Default: two for each processor. */
  readonly jobs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told of every verdict, in the order of the cases. */
  readonly onVerdict?: ((verdict: CaseVerdict, done: number, all: number) => void) | undefined;
}

/**
 * Runs cases side by side. The verdicts come in the order of the cases, whatever order they end in; a runtime that
 * hangs costs a case its own deadline and no other one anything.
 */
export async function runSuite(options: SuiteOptions): Promise<readonly CaseVerdict[]> {
  const planned = options.cases.flatMap((one) =>
    one.versions
      .filter((version) => options.versions?.includes(version) ?? true)
      .map((version) => ({ one, version })),
  );
  const verdicts: CaseVerdict[] = [];
  const done = new Map<number, CaseVerdict>();
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < planned.length; at = next++) {
      if (options.signal?.aborted) return;
      const { one, version } = planned[at] as (typeof planned)[number];
      done.set(at, await judged(one, version, options));
      for (let ready = done.get(verdicts.length); ready; ready = done.get(verdicts.length)) {
        verdicts.push(ready);
        options.onVerdict?.(ready, verdicts.length, planned.length);
      }
    }
  };
  const jobs = options.jobs ?? 2 * availableParallelism();
  await Promise.all(Array.from({ length: Math.min(jobs, planned.length) }, work));
  return verdicts;
}

async function judged(
  one: ConformanceCase,
  version: SchemaVersion,
  { runtime, isDeclared = isRuntimeDimension, all = false, signal }: SuiteOptions,
): Promise<CaseVerdict> {
  const isOpen = isOptional(one) && !one.proves.every(isDeclared);
  if (isOpen && !all) return { case: one, version, outcome: "not-declared", findings: [] };
  const reason = await whyNotApplicable(one, runtime);
  if (reason !== undefined) {
    return { case: one, version, outcome: "not-applicable", reason, findings: [] };
  }
  const evidence = await runCase(runtime, one, version, signal);
  const findings = judgeCase(one, evidence);
  if (findings.length === 0) return { case: one, version, outcome: "passed", findings, evidence };
  const outcome = isOpen ? "not-declared" : "failed";
  return { case: one, version, outcome, findings, evidence };
}

/** A MUST of native Dags binds those who have them. */
function isOptional({ tier, proves }: ConformanceCase): boolean {
  if (proves.length === 0) return false;
  return tier !== "must" || !proves.every(isRuntimeDimension);
}

function isRuntimeDimension(name: string): boolean {
  return DIMENSIONS_BY_NAME.get(name)?.group !== "native-dag";
}
