export { CATALOGUE } from "./catalogue.ts";
export { CHANNELS, ERROR_TYPES } from "./generated/catalogue.ts";
export type * as v20260616 from "./generated/v2026-06-16.ts";
export type * as v20261030 from "./generated/v2026-10-30.ts";
export type {
  BundleInfo,
  ConnectionResult,
  DagFileParseRequest,
  DagFileParsingResult,
  DagRun,
  ErrorResponse,
  ErrorType,
  RetryTask,
  StartupDetails,
  SucceedTask,
  TaskArgBinding,
  TaskInstance,
  TaskInstanceState,
  TaskState,
  TIRunContext,
  ToSupervisor,
  ToTask,
} from "./generated/v2026-10-30.ts";
export { REPLIES, type Reply, UNHANDLED_REQUESTS } from "./replies.ts";
export {
  DEFAULT_SCHEMA_VERSION,
  isSchemaVersion,
  SCHEMA_VERSIONS,
  type SchemaVersion,
} from "./schema-version.ts";
export {
  isTerminalMessage,
  TASK_STATE_STATES,
  TERMINAL_MESSAGES,
  type TerminalMessageType,
  type TerminalState,
  terminalState,
} from "./terminal-messages.ts";
export type { Direction, JsonValue, WireDateTime } from "./wire-values.ts";
