/** A body; "@TI" stands for the id of the task instance that asks. */
export type Request = { readonly type: string; readonly [field: string]: unknown };

/** Why our answer to a request is not that of Airflow 3.3.2. */
export type Reason = string;

const day = (date: string, state: string) => ({
  run_id: date,
  logical_date: `${date}T00:00:00Z`,
  state,
  start_date: `${date}T00:30:00Z`,
  end_date: `${date}T01:00:00Z`,
});

/** Runs of Dag `d`, in the form of a seed. */
export const DAG_RUNS = [
  day("2026-06-13", "success"),
  day("2026-06-14", "success"),
  day("2026-06-15", "failed"),
  {
    run_id: "r",
    logical_date: "2026-06-16T00:00:00Z",
    state: "running",
    start_date: "2026-06-16T00:00:00Z",
  },
  day("2026-06-17", "success"),
];

const SEEN = new Map<string, object>([
  ["r t", { state: "running", try_number: 1, start_date: "2026-06-16T00:00:00Z" }],
  [
    "2026-06-14 t",
    {
      state: "success",
      try_number: 1,
      start_date: "2026-06-14T00:00:00Z",
      end_date: "2026-06-14T00:00:01.500000Z",
    },
  ],
  [
    "2026-06-15 t",
    {
      state: "failed",
      try_number: 2,
      start_date: "2026-06-15T00:00:00Z",
      end_date: "2026-06-15T00:00:02Z",
    },
  ],
  [
    "2026-06-15 group.g",
    {
      state: "skipped",
      try_number: 1,
      start_date: "2026-06-15T00:00:00Z",
      end_date: "2026-06-15T00:00:00Z",
    },
  ],
]);

/** Every instance that the server makes for these runs, and two mapped ones. */
export const TASK_INSTANCES = [
  ...DAG_RUNS.flatMap(({ run_id }) =>
    ["t", "u", "group.g"].map((task_id) => ({ run_id, task_id, map_index: -1 })),
  ),
  ...[0, 2].map((map_index) => ({ run_id: "r", task_id: "t", map_index })),
].map((ref) => ({
  ...ref,
  state: null,
  try_number: 0,
  ...(ref.map_index < 0 && SEEN.get(`${ref.run_id} ${ref.task_id}`)),
}));

const OWN_DATE = "2026-06-16T00:00:00Z";
const D = { dag_id: "d" };
const SERIES = { ...D, run_id: "r", task_id: "t", key: "k" };
const A = { name: "a", uri: "s3://b/a" };
const DYN = { name: "dyn", uri: "s3://b/dyn" };
const O1 = { dag_id: "other", run_id: "o1" };
const END = { type: "SucceedTask", end_date: "2026-06-16T03:05:00Z" };

const many = (type: string, fields: object, ...more: readonly object[]): Request[] =>
  more.map((each) => ({ type, ...fields, ...each }));

const SLICES: readonly (readonly (number | null)[])[] = [
  [null, null, null],
  [0, 9, 0],
  [null, null, -1],
  [1, null, null],
  [-2, null, null],
  [null, -1, null],
  [null, 2, null],
  [2, 0, -1],
  [-1, -3, -1],
  [0, -1, 2],
  [-3, -1, null],
  [-3, 2, null],
];

/** What task `t` of run `r` asks, in this order. */
export const REQUESTS: readonly Request[] = [
  ...many(
    "GetPreviousDagRun",
    { ...D, logical_date: OWN_DATE },
    ...[{}, { state: "success" }, { logical_date: "2026-06-13T00:00:00Z" }],
  ),
  { type: "GetPrevSuccessfulDagRun", ti_id: "@TI" },
  ...many(
    "GetPreviousTI",
    { ...D, task_id: "t", logical_date: OWN_DATE },
    ...[{}, { logical_date: "2026-06-15T00:00:00Z" }, { state: "success" }],
    ...[{ logical_date: null }, { map_index: 4 }],
  ),
  ...many(
    "GetDRCount",
    D,
    ...[{}, { states: [] }, { states: ["failed", "running"] }, { logical_dates: [OWN_DATE] }],
    ...[{ run_ids: ["r", "no"] }, { run_ids: [] }],
  ),
  ...many(
    "GetTICount",
    D,
    ...[{}, { states: ["null"] }, { states: ["failed", "null"] }, { run_ids: ["2026-06-15"] }],
    ...[{ run_ids: ["2026-06-15"], task_group_id: "group" }, { map_index: -1 }, { map_index: 2 }],
    ...[{ task_ids: ["t"], task_group_id: "group" }, { task_ids: [] }, { task_group_id: "no" }],
    { logical_dates: ["2026-06-15T00:00:00Z"], states: ["failed", "skipped"] },
  ),
  ...many(
    "GetTaskStates",
    { ...D, run_ids: ["2026-06-15"] },
    ...[{}, { task_group_id: "group" }, { task_ids: ["t"], task_group_id: "group" }],
    ...[{ run_ids: ["no"] }, { task_group_id: "no" }],
  ),
  { type: "GetTaskRescheduleStartDate", ti_id: "@TI" },
  ...many("GetDagRun", D, ...[{ run_id: "2026-06-15" }, { run_id: "r" }, { run_id: "no" }]),
  ...many("GetDagRunState", D, ...[{ run_id: "r" }, { run_id: "no" }]),
  { type: "GetDag", dag_id: "no" },
  { type: "TriggerDagRun", ...O1, logical_date: "2026-06-20T00:00:00.123456Z", conf: { a: 1 } },
  { type: "GetDagRun", ...O1 },
  { type: "TriggerDagRun", ...O1 },
  { type: "TriggerDagRun", ...O1, reset_dag_run: true },
  { type: "GetDagRun", ...O1 },
  { type: "TriggerDagRun", ...O1, run_id: "o2" },
  { type: "GetDagRunState", ...O1, run_id: "o2" },
  { type: "SkipDownstreamTasks", tasks: ["u", ["group.g", -1], "t"] },
  ...many("GetTaskStates", D, { run_ids: ["r"], task_ids: ["u", "group.g"] }),
  { type: "SetRenderedFields", rendered_fields: { a: 1 } },
  ...many("SetRenderedMapIndex", {}, { rendered_map_index: "x" }, { rendered_map_index: "" }),
  { type: "ValidateInletsAndOutlets", ti_id: "@TI" },
  ...[-1, 2, 0].map((map_index, value) => ({ type: "SetXCom", ...SERIES, value, map_index })),
  ...["2026-06-14", "2026-06-13", "2026-06-17"].map((run_id) => {
    return { type: "SetXCom", ...SERIES, run_id, key: "p", value: run_id };
  }),
  ...many(
    "GetXCom",
    { ...SERIES, key: "p" },
    ...[{}, { include_prior_dates: true }, { run_id: "2026-06-13", include_prior_dates: true }],
    ...[{ key: "" }, { key: "k", map_index: 2 }, { key: "k", map_index: 1 }],
  ),
  ...[null, 1].map((start) => ({
    ...{ type: "GetXComSequenceSlice", ...SERIES, key: "p", start, stop: null, step: null },
    include_prior_dates: true,
  })),
  { type: "GetXComCount", ...SERIES },
  ...SLICES.map(([start, stop, step]) => {
    return { type: "GetXComSequenceSlice", ...SERIES, start, stop, step };
  }),
  ...[0, 2, 3, -1, -3, -4].map((offset) => ({ type: "GetXComSequenceItem", ...SERIES, offset })),
  ...many(
    "SetXCom",
    { ...SERIES, value: [1] },
    ...[{ key: "m", mapped_length: 1024 }, { key: "m", mapped_length: 1025 }, { key: "" }],
  ),
  ...many("DeleteXCom", SERIES, ...[{ key: "no" }, { map_index: 2 }, { key: "" }]),
  { type: "GetXComCount", ...SERIES },
  ...many("GetAssetByName", {}, ...[{ name: "a" }, { name: "no" }, { name: "" }]),
  ...many("GetAssetByUri", {}, ...[{ uri: A.uri }, { uri: "no" }]),
  { type: "GetAssetsByAlias", alias_name: "x" },
  { type: "GetAssetEventByAsset", name: null, uri: null },
  ...many(
    "SetAssetStateStoreByName",
    { name: "a", key: "s", value: { n: 1 } },
    ...[{}, { value: null }, { name: "" }, { key: "" }],
  ),
  ...many(
    "GetAssetStateStoreByUri",
    { uri: A.uri, key: "s" },
    ...[{}, { uri: "no" }, { key: "no" }],
  ),
  { type: "DeleteAssetStateStoreByUri", uri: A.uri, key: "s" },
  { type: "GetAssetStateStoreByName", name: "a", key: "s" },
  { type: "ClearAssetStateStoreByName", name: "a" },
  ...many(
    "SetTaskStateStore",
    { ti_id: "@TI", key: "s", value: [1], expires_at: null },
    ...[{}, { value: null }, { key: "" }],
  ),
  ...many("GetTaskStateStore", { ti_id: "@TI" }, ...[{ key: "s" }, { key: "no" }, { key: "" }]),
  { type: "DeleteTaskStateStore", ti_id: "@TI", key: "no" },
  { type: "ClearTaskStateStore", ti_id: "@TI" },
  ...many("PutVariable", { description: null }, { key: "v1", value: "x" }, { key: "", value: "" }),
  ...many("GetVariable", {}, ...[{ key: "v1" }, { key: "no" }, { key: "" }]),
  ...many(
    "GetVariableKeys",
    {},
    ...[{}, { prefix: "v", limit: 1, offset: 1 }, { prefix: "%" }, { limit: 5000 }],
    ...[{ limit: 0 }, { offset: -1 }],
  ),
  { type: "DeleteVariable", key: "v1" },
  ...many("GetConnection", {}, { conn_id: "no" }, { conn_id: "" }),
  ...many(
    "CreateHITLDetailPayload",
    { ti_id: "@TI", options: ["yes"], subject: "?", params: {}, assigned_users: [] },
    ...[{}, { subject: "again", multiple: true, defaults: ["yes"], body: "b" }],
  ),
  { type: "GetHITLDetailResponse", ti_id: "@TI" },
  { type: "UpdateHITLDetail", ti_id: "@TI", chosen_options: ["yes"] },
  {
    ...END,
    task_outlets: [
      { ...A, type: "Asset" },
      { name: "x", uri: null, type: "AssetAlias" },
    ],
    outlet_events: [
      { dest_asset_key: A, extra: { rows: 5 } },
      { dest_asset_key: A, extra: { rows: 6 } },
      ...["x", "z"].map((source_alias_name) => ({
        source_alias_name,
        dest_asset_key: DYN,
        dest_asset_extra: { made: "here" },
        extra: { via: source_alias_name },
      })),
    ],
  },
  ...many(
    "GetAssetEventByAsset",
    { ...A },
    ...[{}, { uri: null }, { name: null }, DYN, { limit: 1, ascending: false }, { limit: 0 }],
    ...[{ after: "2040-01-01T00:00:00Z" }, { before: "2040-01-01T00:00:00Z" }],
  ),
  ...many("GetAssetEventByAssetAlias", {}, { alias_name: "x" }, { alias_name: "z" }),
  { type: "GetAssetsByAlias", alias_name: "x" },
  ...many("GetAssetByName", {}, { name: "dyn" }),
  // What is different on purpose, or because a store knows no Dags:
  { type: "GetTaskBreadcrumbs", ...D, run_id: "2026-06-15" },
  { type: "DeleteVariable", key: "no" },
  { type: "GetPreviousDagRun", ...D, logical_date: OWN_DATE, state: "nonsense" },
  { type: "CreateHITLDetailPayload", ti_id: "@TI", options: ["yes"], subject: "?" },
  { type: "PutVariable", key: "null", value: null, description: null },
  { type: "GetVariable", key: "null" },
];

/** Requests, as JSON text, whose answers differ. */
export const DIFFERENCES: readonly (readonly [request: Request, why: Reason])[] = [
  [
    { type: "GetAssetByName", name: "dyn" },
    "on a server an asset that an alias has made is active only once a Dag names it; whoever asks for it by name does",
  ],
  [
    { type: "GetTaskBreadcrumbs", ...D, run_id: "2026-06-15" },
    "a store does not know the class of an operator",
  ],
  [
    { type: "DeleteVariable", key: "no" },
    "the recorded supervisor passed a 404 on; the server of 3.3.2 says 204 to a key that is not there",
  ],
  [
    { type: "GetPreviousDagRun", ...D, logical_date: OWN_DATE, state: "nonsense" },
    "the same status, in words of our own",
  ],
  [
    { type: "CreateHITLDetailPayload", ti_id: "@TI", options: ["yes"], subject: "?" },
    "the schema lets params and assigned_users be left out, the server takes no null; so with strictAirflow here",
  ],
  [
    { type: "GetVariable", key: "null" },
    'the server makes the text "None" of a null; here it stays null, as the schema has it',
  ],
];
