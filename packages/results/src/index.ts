// The database

export type { Database, RunOptions } from "./database/database.ts";
export { migrate, printTables } from "./database/migrate.ts";
export type {
  FailedChange,
  MigrateOptions,
  MigrationReport,
  PrintedTables,
} from "./database/migration.ts";
export type { ConnectChanges, ConnectTarget, TableNames } from "./database/options.ts";
export type { SqlConnection, SqlResult, SqlRow, SqlValue } from "./drivers/driver.ts";
export { DatabaseFault, type FaultKind, type PythonErrorName } from "./retry/database-fault.ts";
export type { DdlDialect } from "./schema/ddl.ts";
export type { SchemaChange } from "./schema/plan-changes.ts";
export type { ServerDialect } from "./schema/set-up.ts";
export type { TableRole } from "./schema/table-names.ts";
export type { ResultTables, SchemaFacts, TableFacts } from "./schema/tables.ts";
export { type Dialect, parseResultsUrl, ResultsUrl } from "./url/results-url.ts";

// The store

export type { DatabaseOptions } from "./database/options.ts";
export { ResultsError, type ResultsErrorCode, type ResultsErrorFacts } from "./errors.ts";
export type { SaveGroupOptions } from "./store/groups.ts";
export { openResultStore, type ResultStoreOptions } from "./store/open-result-store.ts";
export type {
  CleanupOptions,
  CleanupProgress,
  DateOptions,
  GetOptions,
  ListOptions,
  StoreClock,
  StoreOptions,
  WaitOptions,
} from "./store/options.ts";
export { ResultStore } from "./store/result-store.ts";
export {
  EXCEPTION_STATES,
  PROPAGATE_STATES,
  READY_STATES,
  statePrecedence,
  UNREADY_STATES,
} from "./store/states.ts";
export type { StoreInput, StoreOutcome, TaskRequest } from "./store/store-input.ts";
export type { ResultGroup, TaskMeta, TaskSummary, UndecodedColumn } from "./store/task-meta.ts";

// Values

export { decodeException } from "./exceptions/decode-exception.ts";
export {
  encodeException,
  JAVASCRIPT_MODULE,
  type StoredException,
} from "./exceptions/encode-exception.ts";
export { TaskFailure, type TaskFailureFacts } from "./exceptions/task-failure.ts";
export { readPickle } from "./pickle/read-pickle.ts";
export { decodeChildren, decodeGroup } from "./results-tree/decode-nodes.ts";
export { encodeChildren, encodeGroup, type NodeTuple } from "./results-tree/encode-nodes.ts";
export type { GroupNode, ResultNode, TaskNode } from "./results-tree/result-node.ts";
export { decodeStored } from "./serializers/decode-stored.ts";
export {
  createSerializer,
  type Serializer,
  type SerializerName,
} from "./serializers/serializer.ts";
export {
  SerializerError,
  type SerializerErrorCode,
  type SerializerErrorOptions,
} from "./serializers/serializer-error.ts";
export type { ValueOptions } from "./serializers/value-options.ts";
export { CalendarDate } from "./values/calendar-date.ts";
export { DateTime } from "./values/date-time.ts";
export { Decimal } from "./values/decimal.ts";
export type { ClockParts, DayParts } from "./values/iso-time.ts";
export { PythonFloat } from "./values/python-float.ts";
export { TimeOfDay } from "./values/time-of-day.ts";
export { Uuid } from "./values/uuid.ts";
