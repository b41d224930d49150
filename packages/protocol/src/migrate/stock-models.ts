import type { Definition } from "../definitions/definition.ts";

// What the models of Airflow 3.4.0b2 do and its schema file does not say. Read in
// airflow/sdk/execution_time/comms.py, airflow/sdk/api/datamodels/_generated.py,
// airflow/callbacks/callback_requests.py and airflow/api_fastapi/execution_api/datamodels of the
// wheels named in schema/, and held by integration/test/airflow/migrations.test.ts.

/** Where in the models a value stands. */
export interface Place {
  readonly definition: string;
  readonly field: string;
  /** Within the API server's own models. */
  readonly isServer: boolean;
}

/**
 * Parts that the API server's own models make up, which have the names of the task SDK's but are
 * other classes: no migration step is declared for them, they turn date-times into UTC, and two of
 * their fields come out under Python's name instead of the wire's.
 */
const SERVER_MODELS = new Set(["DagCallbackRequest", "EmailRequest", "TaskCallbackRequest"]);

/** Whether this definition and those below it are the API server's. */
export function isServerModel(definition: string): boolean {
  return SERVER_MODELS.has(definition);
}

const SERVER_NAMES: ReadonlyMap<string, string> = new Map([
  ["ConnectionResponse.schema", "schema_"],
  ["VariableResponse.value", "val"],
]);

/** The key under which a field comes out of a migration. */
export function writtenName({ definition, field, isServer }: Place): string {
  return (isServer ? SERVER_NAMES.get(`${definition}.${field}`) : undefined) ?? field;
}

/** Date-times that may lack a zone; all others need one. */
const ZONE_IS_OPTIONAL = new Set([
  "LazyDeserializedDAG.last_loaded",
  "StartupDetails.start_date",
  "TaskState.end_date",
]);

/** Whether a date-time in this field is refused without a zone. */
export function demandsZone({ definition, field }: Place): boolean {
  return !ZONE_IS_OPTIONAL.has(`${definition}.${field}`);
}

/** Their lists and maps are empty, not null, when they are left out. */
const EMPTY_BY_DEFAULT = new Set(["DagFileParseRequest", "DagFileParsingResult"]);

/** The value of a field that is left out. */
export function defaultOf(node: Definition, { definition, isServer }: Place): unknown {
  if (node.default !== undefined) return JSON.parse(JSON.stringify(node.default)) as unknown;
  if (!isServer && !EMPTY_BY_DEFAULT.has(definition)) return null;
  return node.type === "array" ? [] : node.type === "object" ? {} : null;
}

/**
 * Whether a field that need not be there may be null although the schema file does not say so: in
 * parts of messages whose class is generated from the server's API, and the server's region.
 */
export function mayBeNull(
  parent: Definition,
  node: Definition,
  { definition, field, isServer }: Place,
): boolean {
  if (isServer) return definition === "TaskInstance" && field.startsWith("region_");
  return parent.properties?.["type"]?.const === undefined && node.const === undefined;
}

/** Answers that the supervisor sends without the fields that the server left out. */
const SENT_WITHOUT_UNSET = new Set([
  "AssetEventsResult",
  "AssetResult",
  "ConnectionResult",
  "HITLDetailRequestResult",
  "InactiveAssetsResult",
  "PrevSuccessfulDagRunResult",
  "VariableResult",
]);

/** Whether stock fills in the defaults of a message when it sends it. */
export function isFilledWhenSent(message: string): boolean {
  return !SENT_WITHOUT_UNSET.has(message);
}

/** A task instance outside every region. */
const NO_REGION = "00000000-0000-0000-0000-000000000000";

/** The server's models leave the region of a task instance out where it has none. */
export function dropMissingRegion(taskInstance: Record<string, unknown>): void {
  const region = taskInstance["region_id"] ?? NO_REGION;
  if (region !== NO_REGION) return;
  delete taskInstance["region_id"];
  delete taskInstance["region_index"];
}
