// Cases

export {
  type ConformanceCase,
  type Expectation,
  type LinkPlan,
  TIERS,
  type Tier,
} from "./case/case-types.ts";
export { CaseFileError, loadCases } from "./case/load-cases.ts";

// Runs

export { brokenRules } from "./judge/invariants.ts";
export { type Finding, judgeCase } from "./judge/judge-case.ts";
export { type Mismatch, match } from "./judge/match.ts";
export type { SeenFrame } from "./link/frame-log.ts";
export {
  type CaseEvidence,
  CONFORMANCE_DAG,
  type RuntimeUnderTest,
  runCase,
} from "./run/run-case.ts";
export { type CaseVerdict, runSuite, type SuiteOptions } from "./run/run-suite.ts";
