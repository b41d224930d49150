export { CORE_DEFAULTS } from "./config/core-defaults.ts";
export { type CoreOptionTexts, parseCoreOptions } from "./config/core-options.ts";
export { constructDelay, constructMultiplier, constructRetries } from "./conversions/construct.ts";
export {
  deserializeMaxRetryDelay,
  deserializeMultiplier,
  deserializeRetries,
  deserializeRetryDelay,
} from "./conversions/deserialize.ts";
export { readMappedMultiplier } from "./conversions/read-mapped.ts";
export {
  type SchedulerTask,
  schedulerTask,
  type TaskRetrySettings,
} from "./conversions/scheduler-task.ts";
export { serializeDelay, serializeMultiplier, serializeRetries } from "./conversions/serialize.ts";
export type {
  ConstructorPlace,
  PythonValue,
  StoredDelay,
  StoredMultiplier,
  TimeDeltaValue,
} from "./conversions/values.ts";
export { type NextRetry, type NextRetryInput, nextRetry } from "./delay/next-retry.ts";
export {
  type PlannedWait,
  planRetries,
  type RetryPlan,
  type RetryPlanInput,
} from "./delay/plan-retries.ts";
export { type RetryDelay, type RetryDelayInput, retryDelay } from "./delay/retry-delay.ts";
export { RetryError, type RetryErrorCode } from "./errors.ts";
export { type RetryHashInput, retryHashText } from "./hash/retry-hash-text.ts";
export type {
  DagDescription,
  OperatorDescription,
  ParamDescription,
  ParamsDescription,
  TaskDescription,
  TaskSettings,
} from "./resource/dag-description.ts";
export { openApiFragment } from "./resource/open-api.ts";
export { ORDER_FIELDS, type OrderField } from "./resource/order-by.ts";
export { readTaskResource } from "./resource/read-task-resource.ts";
export {
  checkRetrySettings,
  type RetrySettings,
  retrySettingsSchema,
  type SettingsProblem,
} from "./resource/retry-settings.ts";
export {
  type Answer,
  dagNotFound,
  methodNotAllowed,
  type TaskCollectionOptions,
  task,
  taskCollection,
} from "./resource/task-answers.ts";
export { taskJson } from "./resource/task-json.ts";
export { answerTaskRequest, type TaskAnswer, type TaskRequest } from "./resource/task-request.ts";
export type {
  ErrorBody,
  ParamResource,
  TaskCollection,
  TaskResource,
  TimeDelta,
} from "./resource/task-resource.ts";
export { TaskResourceError, type TaskResourceErrorCode } from "./resource/task-resource-error.ts";
export { type JsonSchema, taskSchemas } from "./resource/task-schemas.ts";
export { fromTimeDelta, toTimeDelta } from "./resource/time-delta.ts";
export {
  type Attempt,
  type FailedAttempt,
  isEligibleToRetry,
  shouldRetry,
} from "./rules/eligibility.ts";
export {
  initialMaxTries,
  maxTriesAfterClearing,
  maxTriesAfterSuccess,
  type TriedInstance,
} from "./rules/max-tries.ts";
export { checkRetryPeriod, type RetryPeriod, type RetryPeriodInput } from "./rules/retry-period.ts";
export {
  MAX_DELAY_US,
  MIN_DELAY_US,
  type Microseconds,
  microsecondsOfSeconds,
} from "./time/duration.ts";
export { Instant, type InstantInput } from "./time/instant.ts";
export { answerVector, type VectorDelay, type VectorError } from "./vector/answer-vector.ts";
export { parseRetryVector } from "./vector/parse-retry-vector.ts";
export type { RetryVector, SpecialNumber, VectorInteger } from "./vector/retry-vector.ts";
