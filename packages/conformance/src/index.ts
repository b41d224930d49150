// Cases

export {
  type ConformanceCase,
  type Expectation,
  type LinkPlan,
  TIERS,
  type Tier,
} from "./case/case-types.ts";
export { CaseFileError, CONFORMANCE_DAG, loadCases } from "./case/load-cases.ts";

// Runs

export { brokenRules, RULES } from "./judge/invariants.ts";
export { type Finding, judgeCase } from "./judge/judge-case.ts";
export { type Mismatch, match } from "./judge/match.ts";
export { type KnownFailing, KnownFailingError, readKnownFailing } from "./known-failing.ts";
export type { SeenFrame } from "./link/frame-log.ts";
export { type CaseEvidence, type RuntimeUnderTest, runCase } from "./run/run-case.ts";
export { type CaseVerdict, runSuite, type SuiteOptions } from "./run/run-suite.ts";

// Capabilities

export { crossCheck, type Disagreement } from "./capabilities/cross-check.ts";
export { DIMENSIONS, type Dimension } from "./capabilities/dimensions.ts";
export {
  type Capabilities,
  CapabilitiesError,
  type CapabilitiesProblem,
  type DeclaredDimension,
  readCapabilities,
} from "./capabilities/read-capabilities.ts";
export { type Mark, placeMatrix, renderMatrix } from "./capabilities/render-matrix.ts";

// Reports

export { htmlReport } from "./report/html-report.ts";
export { markdownReport } from "./report/markdown-report.ts";
export {
  buildReport,
  type CaseReport,
  type FindingReport,
  type FrameReport,
  type MatrixRow,
  type ReportInput,
  type SuiteReport,
  type TierCount,
} from "./report/suite-report.ts";
export { terminalReport } from "./report/terminal-report.ts";
