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
