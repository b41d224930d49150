import { availableParallelism } from "node:os";
import type { SchemaVersion } from "@parlance/protocol";
import type { ConformanceCase } from "../case/case-types.ts";
import { type Finding, judgeCase } from "../judge/judge-case.ts";
import { type CaseEvidence, type RuntimeUnderTest, runCase } from "./run-case.ts";

/** How a case came out, with one schema version. */
export interface CaseVerdict {
  readonly case: ConformanceCase;
  readonly version: SchemaVersion;
  /** `not-declared`: it proves only what the runtime does not claim to have, and was not run. */
  readonly outcome: "passed" | "failed" | "not-declared";
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
  /** Whether the runtime claims a dimension of the capability matrix. Default: all of them. */
  readonly isDeclared?: ((dimension: string) => boolean) | undefined;
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
  { runtime, isDeclared, signal }: SuiteOptions,
): Promise<CaseVerdict> {
  const optional = one.tier !== "must" && one.proves.length > 0;
  if (optional && isDeclared !== undefined && !one.proves.every(isDeclared)) {
    return { case: one, version, outcome: "not-declared", findings: [] };
  }
  const evidence = await runCase(runtime, one, version, signal);
  const findings = judgeCase(one, evidence);
  const outcome = findings.length === 0 ? "passed" : "failed";
  return { case: one, version, outcome, findings, evidence };
}
