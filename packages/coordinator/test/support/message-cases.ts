import { ID, SERIES } from "./with-peer.js";

/** How a request is answered: a body's type, an empty answer, or what stands in which slot. */
type Expected = string | null | { readonly inBody: string } | { readonly status: number };

/** A request that is valid, and its answer after those before it in the list. */
export type MessageCase = readonly [
  body: { readonly type: string; readonly [field: string]: unknown },
  expected: Expected,
];

const DATE = "2026-06-16T03:05:00Z";
const RUN = { dag_id: "d", run_id: "r" };

/** At least one for each message of schema 2026-06-16. */
export const CASES: readonly MessageCase[] = [
  [{ type: "PutVariable", key: "v", value: "x", description: null }, null],
  [{ type: "GetVariable", key: "v" }, "VariableResult"],
  [{ type: "GetVariable", key: "nope" }, { inBody: "VARIABLE_NOT_FOUND" }],
  [{ type: "GetVariableKeys", prefix: "v", limit: 1, offset: 0 }, "VariableKeysResult"],
  [{ type: "GetVariableKeys" }, "VariableKeysResult"],
  [{ type: "GetVariableKeys", limit: -1 }, { status: 422 }],
  [{ type: "DeleteVariable", key: "v" }, "OKResponse"],
  [{ type: "DeleteVariable", key: "v" }, { status: 404 }],
  [{ type: "GetConnection", conn_id: "c" }, "ConnectionResult"],
  [{ type: "GetConnection", conn_id: "nope" }, { inBody: "CONNECTION_NOT_FOUND" }],
  [{ type: "SetXCom", ...SERIES, value: [1], map_index: null, mapped_length: 1 }, null],
  [{ type: "GetXCom", ...SERIES }, "XComResult"],
  [{ type: "GetXCom", ...SERIES, key: "nope", include_prior_dates: true }, "XComResult"],
  [{ type: "GetXComCount", ...SERIES }, "XComCountResponse"],
  [{ type: "GetXComSequenceItem", ...SERIES, offset: 0 }, "XComSequenceIndexResult"],
  [{ type: "GetXComSequenceItem", ...SERIES, offset: 7 }, { inBody: "XCOM_NOT_FOUND" }],
  [
    { type: "GetXComSequenceSlice", ...SERIES, start: null, stop: null, step: -1 },
    "XComSequenceSliceResult",
  ],
  [
    { type: "GetXComSequenceSlice", ...SERIES, start: 0, stop: 9, step: 0 },
    "XComSequenceSliceResult",
  ],
  [{ type: "DeleteXCom", ...SERIES }, null],
  [{ type: "SetTaskStateStore", ti_id: ID, key: "s", value: 1, expires_at: null }, "OKResponse"],
  [{ type: "GetTaskStateStore", ti_id: ID, key: "s" }, "TaskStateStoreResult"],
  [{ type: "DeleteTaskStateStore", ti_id: ID, key: "s" }, "OKResponse"],
  [{ type: "GetTaskStateStore", ti_id: ID, key: "s" }, { inBody: "TASK_STORE_NOT_FOUND" }],
  [{ type: "ClearTaskStateStore", ti_id: ID }, "OKResponse"],
  [{ type: "SetAssetStateStoreByName", name: "a", key: "s", value: 1 }, "OKResponse"],
  [{ type: "GetAssetStateStoreByName", name: "a", key: "s" }, "AssetStateStoreResult"],
  [{ type: "DeleteAssetStateStoreByName", name: "a", key: "s" }, "OKResponse"],
  [{ type: "GetAssetStateStoreByName", name: "a", key: "s" }, { inBody: "ASSET_STORE_NOT_FOUND" }],
  [{ type: "ClearAssetStateStoreByName", name: "a" }, "OKResponse"],
  [{ type: "SetAssetStateStoreByUri", uri: "u", key: "s", value: 1 }, "OKResponse"],
  [{ type: "GetAssetStateStoreByUri", uri: "u", key: "s" }, "AssetStateStoreResult"],
  [{ type: "GetAssetStateStoreByUri", uri: "u", key: "nope" }, { inBody: "ASSET_STORE_NOT_FOUND" }],
  [{ type: "DeleteAssetStateStoreByUri", uri: "u", key: "s" }, "OKResponse"],
  [{ type: "ClearAssetStateStoreByUri", uri: "u" }, "OKResponse"],
  [{ type: "GetAssetByName", name: "known" }, "AssetResult"],
  [{ type: "GetAssetByName", name: "a" }, { inBody: "ASSET_NOT_FOUND" }],
  [{ type: "GetAssetByUri", uri: "s3://known" }, "AssetResult"],
  [{ type: "GetAssetByUri", uri: "u" }, { inBody: "ASSET_NOT_FOUND" }],
  [{ type: "GetAssetsByAlias", alias_name: "alias" }, "AssetsByAliasResult"],
  [{ type: "GetAssetEventByAsset", name: "known", uri: null }, "AssetEventsResult"],
  [{ type: "GetAssetEventByAsset", name: null, uri: null }, { status: 400 }],
  [{ type: "GetAssetEventByAssetAlias", alias_name: "alias" }, "AssetEventsResult"],
  [{ type: "GetDag", dag_id: "d" }, "DagResult"],
  [{ type: "GetDag", dag_id: "nope" }, { status: 404 }],
  [{ type: "GetDagRun", ...RUN }, "DagRunResult"],
  [{ type: "GetDagRun", ...RUN, run_id: "nope" }, { status: 404 }],
  [{ type: "GetDagRunState", ...RUN }, "DagRunStateResult"],
  [{ type: "GetDagRunState", ...RUN, run_id: "nope" }, { status: 404 }],
  [{ type: "GetDRCount", dag_id: "d", states: ["running"], logical_dates: [DATE] }, "DRCount"],
  [{ type: "GetPreviousDagRun", dag_id: "d", logical_date: DATE }, "PreviousDagRunResult"],
  [{ type: "GetPreviousDagRun", dag_id: "d", logical_date: DATE, state: "no" }, { status: 422 }],
  [{ type: "GetPrevSuccessfulDagRun", ti_id: ID }, "PrevSuccessfulDagRunResult"],
  [{ type: "GetPreviousTI", dag_id: "d", task_id: "t", logical_date: DATE }, "PreviousTIResult"],
  [{ type: "GetTICount", dag_id: "d", states: ["running", "null"] }, "TICount"],
  [{ type: "GetTaskStates", dag_id: "d", task_group_id: "group" }, "TaskStatesResult"],
  [{ type: "GetTaskBreadcrumbs", ...RUN }, "TaskBreadcrumbsResult"],
  [{ type: "GetTaskRescheduleStartDate", ti_id: ID }, "TaskRescheduleStartDate"],
  [{ type: "SetRenderedFields", rendered_fields: { a: 1 } }, null],
  [{ type: "SetRenderedMapIndex", rendered_map_index: "label" }, null],
  [{ type: "SetRenderedMapIndex", rendered_map_index: "" }, { status: 422 }],
  [{ type: "SkipDownstreamTasks", tasks: ["a", ["b", 1]] }, null],
  [{ type: "ValidateInletsAndOutlets", ti_id: ID }, "InactiveAssetsResult"],
  [{ type: "MaskSecret", value: "hidden-value" }, null],
  [{ type: "TriggerDagRun", dag_id: "other", run_id: "o1", conf: { a: 1 } }, "OKResponse"],
  [{ type: "TriggerDagRun", dag_id: "other", run_id: "o1" }, { inBody: "DAGRUN_ALREADY_EXISTS" }],
  [{ type: "TriggerDagRun", dag_id: "other", run_id: "o1", reset_dag_run: true }, "OKResponse"],
  [
    { type: "CreateHITLDetailPayload", ti_id: ID, options: ["yes"], subject: "?" },
    "HITLDetailRequestResult",
  ],
  [{ type: "GetHITLDetailResponse", ti_id: ID }, { status: 400 }],
  [{ type: "UpdateHITLDetail", ti_id: ID, chosen_options: ["yes"] }, { status: 400 }],
  [{ type: "ResendLoggingFD" }, { status: 400 }],
  [{ type: "TaskState", state: "failed", end_date: DATE }, null],
  [{ type: "RetryTask", end_date: DATE, retry_delay_seconds: 1.5, retry_reason: "why" }, null],
  [{ type: "DeferTask", classpath: "x.Y", next_method: "m", trigger_timeout: "PT30S" }, null],
  [{ type: "RescheduleTask", reschedule_date: DATE, end_date: DATE }, null],
  [{ type: "AwaitInputTask", next_method: "m" }, null],
  [{ type: "SucceedTask", end_date: DATE, task_outlets: [], outlet_events: [] }, null],
  // No message of a task's link: the answer to a request that a coordinator for Dag files makes.
  [{ type: "DagFileParsingResult", fileloc: "/d.py", serialized_dags: [] }, { status: 422 }],
];

/** Those that schema 2026-10-30 adds. */
export const CASES_SINCE_3_4: readonly MessageCase[] = [
  [{ type: "SetExecutionTimeout", timeout_seconds: 60 }, null],
  [{ type: "UpdateDagRunNote", ti_id: ID, note: "hello" }, "OKResponse"],
  [{ type: "UpdateDagRunNote", ti_id: ID, note: null }, "OKResponse"],
  [{ type: "UpdateDagRunNote", ti_id: ID, note: "x".repeat(1001) }, { status: 422 }],
];
