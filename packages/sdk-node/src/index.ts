import "./start.ts"; // first: connects to the coordinator, before anything else is loaded

export { ChannelClosedError, Float, RequestTimeoutError, Timestamp } from "@parlance/framing";
export {
  Bundle,
  type RegisteredTask,
  type StorableHandler,
  type TaskRegistrationOptions,
} from "./bundle.ts";
export type {
  Connection,
  DeleteXComOptions,
  GetXComOptions,
  ListVariableKeysOptions,
  SetXComOptions,
  TaskClient,
  XComAddress,
  XComSeriesOptions,
  XComSliceOptions,
} from "./client/task-client.ts";
export type { XComStorable, XComValue } from "./client/xcom-value.ts";
export type { ExactDates, TaskContext } from "./context.ts";
export {
  InvalidRequestError,
  type InvalidRequestErrorCode,
  NotFoundError,
  type NotFoundErrorCode,
  RegistrationError,
  type RegistrationErrorCode,
  SupervisorError,
  type SupervisorErrorCode,
  TaskStoppedError,
  type TaskStoppedErrorCode,
} from "./errors.ts";
export {
  eachOf,
  type FromTaskOptions,
  fromConf,
  fromTask,
  Input,
  type InputDeclarations,
  type InputOptions,
  type InputValues,
  literal,
} from "./inputs/input.ts";
export { InputError, type InputErrorCode } from "./inputs/input-error.ts";
export { type BundleDescription, describeBundle } from "./launch/describe.ts";
export type { LogLevel } from "./logs/level-filter.ts";
export type { Logger, LogMethod } from "./logs/logger.ts";
export type { LogFields } from "./logs/record.ts";
export { awaitInput, type InputRequest } from "./outcomes/await-input.ts";
export { defer, type ResumeOptions, type Trigger } from "./outcomes/defer.ts";
export { reschedule } from "./outcomes/reschedule.ts";
export type { HumanAnswer, Resumption } from "./outcomes/resumption.ts";
export { type MappedTask, skip, skipDownstream } from "./outcomes/skip.ts";
export {
  DeferralError,
  type DeferralErrorCode,
  TaskError,
  type TaskErrorOptions,
  TaskRemovedError,
} from "./outcomes/task-error.ts";
export {
  type Assignee,
  type AwaitInputFacts,
  type DeferFacts,
  type InputField,
  isTaskOutcome,
  type OutcomeFacts,
  type RescheduleFacts,
  type SkipFacts,
  TaskOutcome,
} from "./outcomes/task-outcome.ts";
export type { ServeOptions } from "./runtime/serve-options.ts";
export { getLogger, serve } from "./serve.ts";
export type {
  KillCallback,
  NoInputs,
  RetryDecision,
  RetryPolicy,
  TaskArguments,
  TaskHandler,
  TaskOptions,
} from "./task-handler.ts";
