// Running attempts

export { ArgvCoordinator, type ArgvCoordinatorOptions } from "./coordinators/argv-coordinator.ts";
export {
  BaseCoordinator,
  type ExecuteTaskRequest,
  type ResumeEvent,
  type TaskResult,
} from "./coordinators/base-coordinator.ts";
export type { CoordinatorFactory } from "./coordinators/built-in-factories.ts";
export {
  CoordinatorConfigError,
  type CoordinatorConfigErrorCode,
} from "./coordinators/coordinator-config-error.ts";
export {
  CoordinatorManager,
  type CoordinatorManagerOptions,
} from "./coordinators/coordinator-manager.ts";
export {
  ExecutableCoordinator,
  type ExecutableCoordinatorOptions,
} from "./coordinators/executable-coordinator.ts";
export { JavaCoordinator, type JavaCoordinatorOptions } from "./coordinators/java-coordinator.ts";
export { NodeCoordinator, type NodeCoordinatorOptions } from "./coordinators/node-coordinator.ts";
export {
  SubprocessCoordinator,
  type SubprocessCoordinatorOptions,
} from "./coordinators/subprocess-coordinator.ts";
export { type TaskCommand, TaskCommandError } from "./coordinators/task-command.ts";
export type { EnvironmentHook, TaskVariables } from "./coordinators/task-environment.ts";
export { type FinalState, finalState, type Outcome } from "./supervise/final-state.ts";
export { type Heartbeat, HeartbeatLoop, type HeartbeatVerdict } from "./supervise/heartbeat.ts";
export type { MessageObserver, ObservedMessage } from "./supervise/message-observer.ts";
export type {
  ConsumedAssetEvent,
  DagRunSpec,
  DateInput,
  TaskInstanceSpec,
} from "./supervise/task-instance.ts";

// What a task finds and leaves

export type {
  AssetEventFilter,
  AssetKey,
  AssetStore,
  NewAssetEvent,
  StoredAsset,
  StoredAssetEvent,
} from "./store/asset-store.ts";
export type {
  DagRunChanges,
  DagRunFilter,
  DagRunStore,
  StoredDagRun,
} from "./store/dag-run-store.ts";
export { exactJsonText, fromExactJson, parseExactJson, toExactJson } from "./store/exact-json.ts";
export type {
  HitlResponse,
  HitlStore,
  HitlUser,
  StoredHitlDetail,
} from "./store/hitl-store.ts";
export { MemoryTaskStore } from "./store/memory-task-store.ts";
export { type SeedDefaults, type SeedResult, seedStore } from "./store/seed-store.ts";
export {
  openSqliteTaskStore,
  SqliteTaskStore,
  type SqliteTaskStoreOptions,
} from "./store/sqlite-task-store.ts";
export type { StoreDump, StoredState } from "./store/store-dump.ts";
export type {
  FoundTaskInstance,
  StoredTaskInstance,
  TaskInstanceChanges,
  TaskInstanceFacts,
  TaskInstanceFilter,
  TaskInstanceStore,
} from "./store/task-instance-store.ts";
export {
  type ConnectionStore,
  type StateStore,
  type StoredConnection,
  type StoredVariable,
  type StoredXCom,
  StoreError,
  type StoreErrorCode,
  type TaskInstanceRef,
  type TaskStore,
  type VariableStore,
  type XComFilter,
  type XComRef,
  type XComSeries,
  type XComSlice,
  type XComStore,
} from "./store/task-store.ts";

// What it logs

export { combineSinks } from "./logs/combine-sinks.ts";
export {
  type FormatLogRecordOptions,
  formatLogRecord,
  type LogColors,
} from "./logs/format-log-record.ts";
export {
  LogFile,
  type LogFileAttempt,
  LogFileError,
  type LogFormat,
  type OpenLogFileOptions,
  openLogFile,
} from "./logs/log-file.ts";
export {
  type LogLevel,
  type LogRecord,
  type LogSink,
  SUPERVISOR_LOGGER,
} from "./logs/log-record.ts";
export { type RawLine, readLogLine, readOutputLine } from "./logs/read-log-line.ts";
export { SecretMasker } from "./logs/secret-masker.ts";
export { isSensitiveName } from "./logs/sensitive-name.ts";
export type { FrameObserver, ObservedFrame } from "./redact/frame-observer.ts";
export {
  FrameRedactor,
  type FrameRedactorOptions,
  type RedactableFrame,
  type RedactedFrame,
} from "./redact/frame-redactor.ts";

// Parts, for a coordinator of your own: the launch of a process, whose a connection is, the first message

export {
  type AcceptedChannels,
  ChannelAcceptor,
  type ChannelName,
  type ForeignConnection,
} from "./accept/channel-acceptor.ts";
export { buildChildEnvironment, type ChildEnvironmentOptions } from "./environment.ts";
export { describeExit, type ExitStatus, toExitStatus } from "./launch/exit-status.ts";
export { OutputBuffer } from "./launch/output-buffer.ts";
export { StartError, type StartErrorCode } from "./launch/start-error.ts";
export type { SpawnedOutput, StartTaskProcessOptions } from "./launch/start-options.ts";
export { startTaskProcess } from "./launch/start-task-process.ts";
export type { StartedTask } from "./launch/started-task.ts";
export { type WaitForStreamsOptions, waitForStreams } from "./launch/wait-for-streams.ts";
export {
  createOwnershipChecker,
  isOwnedConnection,
  type OwnershipCheckerOptions,
} from "./ownership/create-ownership-checker.ts";
export {
  type ConnectionEnds,
  type Endpoint,
  normalizeAddress,
  toEndpoint,
} from "./ownership/endpoint.ts";
export type {
  OwnershipChecker,
  OwnershipCheckOptions,
  RootProcess,
} from "./ownership/ownership-checker.ts";
export { buildStartupDetails, type StartupDetailsInput } from "./supervise/startup-details.ts";
