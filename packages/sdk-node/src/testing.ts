// Unit tests of handlers, in memory: `@parlance/sdk-node/testing`.

export type { CapturedLog } from "./testing/captured-logs.ts";
export { loadBundle } from "./testing/load-bundle.ts";
export type { InstanceKey } from "./testing/memory-state.ts";
export type {
  DeferralFacts,
  EndFacts,
  RetryFacts,
  TaskOutcomeState,
} from "./testing/read-outcome.ts";
export { runTask } from "./testing/run-task.ts";
export type {
  AirflowSeed,
  SeedAsset,
  SeedAssetEvent,
  SeedConnection,
  SeedRun,
} from "./testing/seed.ts";
export type { TaskInstanceOptions, TestResume } from "./testing/startup-details.ts";
export type { AskedQuestion, EmittedEvent, TaskOutcome } from "./testing/task-outcome.ts";
export { TestAirflow, type TestTaskOptions } from "./testing/test-airflow.ts";
