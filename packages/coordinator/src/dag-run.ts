// Whole Dags on one machine: the entry `@parlance/coordinator/dag-run`

export { dagOfTasks, type PlainTasks } from "./dag-run/dag/dag-of-tasks.ts";
export { DagReadError, type DagReadErrorCode } from "./dag-run/dag/dag-read-error.ts";
export { readSerializedDag } from "./dag-run/dag/read-serialized-dag.ts";
export type {
  MappingLength,
  MappingPart,
  RunnableDag,
  RunnableGroup,
  RunnableParam,
  RunnableTask,
  SerializedDag,
  TaskInput,
  TaskMapping,
  TriggerRule,
} from "./dag-run/dag/runnable-dag.ts";
export type {
  AttemptSummary,
  FilePage,
  GridCell,
  GridRun,
  InstanceSummary,
  PageRequest,
  RunDetail,
  RunFilter,
  RunHistory,
  RunPage,
  RunState,
  RunSummary,
  StoredFrame,
  TaskState,
  WaitSummary,
  XComSummary,
} from "./dag-run/history/history-types.ts";
export { openRunHistory } from "./dag-run/history/sqlite-run-history.ts";
export { parseDagFile } from "./dag-run/parse/parse-dag-file.ts";
export type {
  DagImportError,
  ParseDagFileRequest,
  ParsedDagFile,
} from "./dag-run/parse/parse-types.ts";
export { evaluateRun, type RunEvaluation } from "./dag-run/rules/evaluate-run.ts";
export { initialInstances } from "./dag-run/rules/initial-instances.ts";
export type { RunEnd } from "./dag-run/rules/run-end.ts";
export type { InstanceState, RunFacts, SkipDecision } from "./dag-run/rules/run-view.ts";
export type { Transition } from "./dag-run/rules/transition.ts";
export { DagRunError, type DagRunErrorCode } from "./dag-run/run/dag-run-error.ts";
export { DagRunner } from "./dag-run/run/dag-runner.ts";
export type {
  ActiveRun,
  DagRunnerApi,
  DagRunnerOptions,
  RunEvent,
  RunOutcome,
  StartRunRequest,
  TaskSelection,
} from "./dag-run/run/runner-types.ts";
