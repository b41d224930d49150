import type { ErrorType, ToSupervisor, ToTask } from "./generated/v2026-10-30.ts";

/** What a supervisor answers in the body slot when a request could be served. */
export interface Reply {
  /** The answer's message; null: a frame whose body and error are both null. */
  readonly type: ToTask["type"] | null;
  /**
   * Errors that come as an ErrorResponse in the *body* slot. Failures of the API and
   * messages that cannot be served come in the error slot instead, for any request.
   */
  readonly errors: readonly ErrorType[];
}

const EMPTY: Reply = { type: null, errors: [] };
const OK: Reply = reply("OKResponse");

/**
 * Which reply answers which request, as stock Airflow 3.3.2 and 3.4.0b2 send them (run; see
 * also {@link UNHANDLED_REQUESTS}). Terminal messages are answered with an empty frame.
 */
export const REPLIES: { readonly [M in ToSupervisor["type"]]: Reply } = {
  AwaitInputTask: EMPTY,
  ClearAssetStateStoreByName: OK,
  ClearAssetStateStoreByUri: OK,
  ClearTaskStateStore: OK,
  CreateHITLDetailPayload: reply("HITLDetailRequestResult"),
  DagFileParsingResult: EMPTY,
  DeferTask: EMPTY,
  DeleteAssetStateStoreByName: OK,
  DeleteAssetStateStoreByUri: OK,
  DeleteTaskStateStore: OK,
  DeleteVariable: OK,
  DeleteXCom: EMPTY,
  GetAssetByName: reply("AssetResult", "ASSET_NOT_FOUND"),
  GetAssetByUri: reply("AssetResult", "ASSET_NOT_FOUND"),
  GetAssetEventByAsset: reply("AssetEventsResult"),
  GetAssetEventByAssetAlias: reply("AssetEventsResult"),
  GetAssetStateStoreByName: reply("AssetStateStoreResult", "ASSET_STORE_NOT_FOUND"),
  GetAssetStateStoreByUri: reply("AssetStateStoreResult", "ASSET_STORE_NOT_FOUND"),
  GetAssetsByAlias: reply("AssetsByAliasResult"),
  GetConnection: reply("ConnectionResult", "CONNECTION_NOT_FOUND", "PERMISSION_DENIED"),
  GetDag: reply("DagResult"),
  GetDagRun: reply("DagRunResult"),
  GetDagRunState: reply("DagRunStateResult"),
  GetDRCount: reply("DRCount"),
  GetHITLDetailResponse: EMPTY,
  GetPreviousDagRun: reply("PreviousDagRunResult"),
  GetPreviousTI: reply("PreviousTIResult"),
  GetPrevSuccessfulDagRun: reply("PrevSuccessfulDagRunResult"),
  GetTaskBreadcrumbs: reply("TaskBreadcrumbsResult"),
  GetTaskRescheduleStartDate: reply("TaskRescheduleStartDate"),
  GetTaskStates: reply("TaskStatesResult"),
  GetTaskStateStore: reply("TaskStateStoreResult", "TASK_STORE_NOT_FOUND"),
  GetTICount: reply("TICount"),
  GetVariable: reply("VariableResult", "VARIABLE_NOT_FOUND", "PERMISSION_DENIED"),
  GetVariableKeys: reply("VariableKeysResult"),
  // A missing XCom is a result of null, never an error.
  GetXCom: reply("XComResult"),
  GetXComCount: reply("XComCountResponse"),
  GetXComSequenceItem: reply("XComSequenceIndexResult", "XCOM_NOT_FOUND"),
  GetXComSequenceSlice: reply("XComSequenceSliceResult"),
  MaskSecret: EMPTY,
  PutVariable: EMPTY,
  RescheduleTask: EMPTY,
  // Hands over a file descriptor, which a TCP connection cannot carry.
  ResendLoggingFD: reply("SentFDs"),
  RetryTask: EMPTY,
  SetAssetStateStoreByName: OK,
  SetAssetStateStoreByUri: OK,
  SetExecutionTimeout: EMPTY,
  SetRenderedFields: EMPTY,
  SetRenderedMapIndex: EMPTY,
  SetTaskStateStore: OK,
  SetXCom: EMPTY,
  SkipDownstreamTasks: EMPTY,
  SucceedTask: EMPTY,
  TaskState: EMPTY,
  TriggerDagRun: reply("OKResponse", "DAGRUN_ALREADY_EXISTS"),
  UpdateDagRunNote: OK,
  UpdateHITLDetail: EMPTY,
  ValidateInletsAndOutlets: reply("InactiveAssetsResult"),
};

/** Messages of the union that stock has no handler for: API_SERVER_ERROR 400, error slot. */
export const UNHANDLED_REQUESTS: readonly ToSupervisor["type"][] = [
  "GetHITLDetailResponse",
  "UpdateHITLDetail",
];

function reply(type: ToTask["type"], ...errors: ErrorType[]): Reply {
  return { type, errors };
}
