import "./start.ts"; // first: connects to the coordinator, before anything else is loaded

export { ChannelClosedError, Float, RequestTimeoutError, Timestamp } from "@parlance/framing";
export {
  Bundle,
  type DagProgram,
  type RegisteredTask,
  type StorableHandler,
  type TaskRegistrationOptions,
} from "./bundle.ts";
export type {
  Asset,
  AssetEvent,
  AssetEventFilter,
  AssetEventRun,
  AssetRef,
  Assets,
  EmitOptions,
} from "./client/api/assets.ts";
export type { Connection } from "./client/api/connection.ts";
export type {
  Dag,
  DagRun,
  DagRunFilter,
  DagRunRef,
  DagRunState,
  DagRuns,
  SuccessfulRunDates,
  TriggerDagRunOptions,
  TriggeredDagRun,
  TriggeringAssetEvent,
} from "./client/api/dag-runs.ts";
export type { Exact, Moment } from "./client/api/dates.ts";
export type { JsonMap, JsonStorable } from "./client/api/json.ts";
export type { AssetStateStore, KeepOptions, TaskStateStore } from "./client/api/state-stores.ts";
export type {
  EndedTaskInstance,
  PreviousTaskInstance,
  TaskInstanceFilter,
  TaskInstanceState,
  TaskInstances,
} from "./client/api/task-instances.ts";
export type {
  DeleteXComOptions,
  GetXComOptions,
  ReadXComOptions,
  SetXComOptions,
  XComAddress,
  XComSequence,
  XComSequenceOptions,
  XComSeriesOptions,
  XComSliceOptions,
} from "./client/api/xcoms.ts";
export type { ListVariableKeysOptions, TaskClient } from "./client/task-client.ts";
export type { JsonValue, XComStorable, XComValue } from "./client/xcom-value.ts";
export type { ExactDates, TaskContext, TaskLoop, TraceContext } from "./context.ts";
export {
  type AssetExpression,
  type AssetOptions,
  asset,
  type DagAsset,
} from "./dag/assets/asset.ts";
export { dag } from "./dag/dag.ts";
export type { DagBuilder, DynamicDag } from "./dag/dag-builder.ts";
export type {
  AssetCondition,
  AssetModel,
  ChildModel,
  CronPreset,
  DagModel,
  GroupModel,
  InputModel,
  ParamModel,
  ScheduleModel,
  TaskKind,
  TaskModel,
  TaskSettings,
  TriggerRule,
  WeightRule,
} from "./dag/dag-model.ts";
export {
  type JsonType,
  type Param,
  type ParamOptions,
  type ParamSchema,
  param,
  requiredParam,
} from "./dag/params/param.ts";
export type {
  DagTaskArguments,
  FlowEach,
  FlowInputs,
  NoDeclarations,
  ParamDeclarations,
  ParamValues,
  TaskType,
} from "./dag/types/flow-types.ts";
export type {
  BranchOptions,
  DagOptions,
  FlowTaskOptions,
  GroupOptions,
  Schedule,
  ShortCircuitOptions,
  TaskDefaults,
} from "./dag/types/options.ts";
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
  fromArgument,
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
  ResultOf,
  RetryDecision,
  RetryPolicy,
  TaskArguments,
  TaskHandler,
  TaskOptions,
} from "./task-handler.ts";
export { type StubHandler, TaskStub } from "./task-stub.ts";
export { traceHeaders } from "./trace-headers.ts";
export { CalendarDate } from "./values/calendar-date.ts";
export { DateTime, type DateTimeOptions } from "./values/date-time.ts";
export { Decimal } from "./values/decimal.ts";
export { decodeValue } from "./values/decode-value.ts";
export { Duration, type DurationParts } from "./values/duration.ts";
export { encodeValue } from "./values/encode-value.ts";
export { PythonObject } from "./values/python-object.ts";
export { TimeZone, type Zone } from "./values/time-zone.ts";
export { FrozenSet, Tuple } from "./values/tuple.ts";
export { UnreadableValueError } from "./values/unreadable-value-error.ts";
export { Uuid } from "./values/uuid.ts";
