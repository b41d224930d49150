import { Float } from "@parlance/framing";
import { terminalState } from "@parlance/protocol";
import { exact } from "./comparable.ts";

export type Fields = { readonly [name: string]: unknown };

/** A call to Airflow's API, as far as it has to be the same. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query?: Fields;
  readonly body?: unknown;
}

/** What a request of the task with this id becomes. */
type Rule = (message: Fields, id: string) => Call | readonly Call[];

const call = (method: string, path: string, query?: Fields, body?: unknown): Call => ({
  method,
  path,
  ...(query !== undefined && { query }),
  ...(body !== undefined && { body }),
});

/** The parameters that were given, as text; of a list the last one, as the harness reads them. */
function given(message: Fields, ...names: readonly string[]): Fields {
  const there = names.filter((name) => message[name] != null);
  return Object.fromEntries(
    there.map((name) => [name, String(exact([message[name]].flat().at(-1)))]),
  );
}

const xcom = ({ dag_id, run_id, task_id, key }: Fields): string =>
  `xcoms/${dag_id}/${run_id}/${task_id}/${key}`;

/** -1 and null are not told. */
const mapIndex = ({ map_index: index }: Fields): Fields =>
  index == null || Number(index) < 0 ? {} : { map_index: String(index) };

/** The state, by the type of the message; everything else as it is. */
function state({ type, ...rest }: Fields, id: string): Call {
  const body = { state: terminalState({ type, ...rest }), ...rest };
  return call("PATCH", `task-instances/${id}/state`, undefined, body);
}

/** A whole number of seconds is a float to Airflow. */
const asFloat = (value: unknown): Float =>
  value instanceof Float ? value : new Float(Number(value));

const events = (message: Fields, more: Fields): Fields => ({
  ...more,
  ascending: "true",
  ...given(message, "after", "before", "limit", "ascending"),
});

/** Endpoints of an asset's values, asked for by its name or its URI. */
function assetStore(by: "name" | "uri"): { readonly [type: string]: Rule } {
  const suffix = by === "name" ? "Name" : "Uri";
  const path = `store/asset/by-${by}`;
  return {
    [`GetAssetStateStoreBy${suffix}`]: (message) =>
      call("GET", `${path}/value`, given(message, by, "key")),
    [`SetAssetStateStoreBy${suffix}`]: (message) =>
      call("PUT", `${path}/value`, given(message, by, "key"), { value: message["value"] }),
    [`DeleteAssetStateStoreBy${suffix}`]: (message) =>
      call("DELETE", `${path}/value`, given(message, by, "key")),
    [`ClearAssetStateStoreBy${suffix}`]: (message) =>
      call("DELETE", `${path}/clear`, given(message, by)),
  };
}

/** Requests of tasks, and the calls that stock's supervisor makes for each of them. Read off its client, 3.3.2. */
export const CALL_RULES: { readonly [type: string]: Rule } = {
  GetVariable: ({ key }) => call("GET", `variables/${key}`),
  PutVariable: ({ key, value, description }) =>
    call("PUT", `variables/${key}`, undefined, { val: value, description }),
  DeleteVariable: ({ key }) => call("DELETE", `variables/${key}`),
  GetVariableKeys: (message) =>
    call("GET", "variables/keys", {
      limit: "1000",
      offset: "0",
      ...given(message, "prefix", "limit", "offset"),
    }),
  GetConnection: ({ conn_id }) => call("GET", `connections/${conn_id}`),
  GetXCom: (message) => call("GET", xcom(message), mapIndex(message)),
  GetXComCount: (message) => call("HEAD", xcom(message)),
  GetXComSequenceItem: (message) => call("GET", `${xcom(message)}/item/${message["offset"]}`),
  GetXComSequenceSlice: (message) =>
    call("GET", `${xcom(message)}/slice`, given(message, "start", "stop", "step")),
  SetXCom: (message) =>
    call(
      "POST",
      xcom(message),
      { ...mapIndex(message), ...given(message, "mapped_length") },
      message["value"] ?? null,
    ),
  DeleteXCom: (message) => call("DELETE", xcom(message), mapIndex(message)),
  SkipDownstreamTasks: ({ tasks }, id) =>
    call("PATCH", `task-instances/${id}/skip-downstream`, undefined, { tasks }),
  SetRenderedFields: ({ rendered_fields }, id) =>
    call("PUT", `task-instances/${id}/rtif`, undefined, rendered_fields),
  SetRenderedMapIndex: ({ rendered_map_index }, id) =>
    call("PATCH", `task-instances/${id}/rendered-map-index`, undefined, rendered_map_index),
  ValidateInletsAndOutlets: ({ ti_id }) =>
    call("GET", `task-instances/${ti_id}/validate-inlets-and-outlets`),
  GetPrevSuccessfulDagRun: (_, id) =>
    call("GET", `task-instances/${id}/previous-successful-dagrun`),
  GetTaskRescheduleStartDate: (message) =>
    call("GET", `task-reschedules/${message["ti_id"]}/start_date`, {
      try_number: "1",
      ...given(message, "try_number"),
    }),
  GetTICount: (message) =>
    call("GET", "task-instances/count", {
      ...given(
        message,
        "dag_id",
        "task_ids",
        "task_group_id",
        "logical_dates",
        "run_ids",
        "states",
      ),
      ...mapIndex(message),
    }),
  GetTaskStates: (message) =>
    call("GET", "task-instances/states", {
      ...given(message, "dag_id", "task_ids", "task_group_id", "logical_dates", "run_ids"),
      ...mapIndex(message),
    }),
  GetTaskBreadcrumbs: (message) =>
    call("GET", "task-instances/breadcrumbs", given(message, "dag_id", "run_id")),
  GetPreviousTI: (message) =>
    call("GET", `task-instances/previous/${message["dag_id"]}/${message["task_id"]}`, {
      map_index: "-1",
      ...given(message, "map_index", "logical_date", "state"),
    }),
  GetDag: ({ dag_id }) => call("GET", `dags/${dag_id}`),
  GetDagRun: ({ dag_id, run_id }) => call("GET", `dag-runs/${dag_id}/${run_id}`),
  GetDagRunState: ({ dag_id, run_id }) => call("GET", `dag-runs/${dag_id}/${run_id}/state`),
  GetDRCount: (message) =>
    call("GET", "dag-runs/count", given(message, "dag_id", "logical_dates", "run_ids", "states")),
  GetPreviousDagRun: (message) =>
    call("GET", "dag-runs/previous", given(message, "dag_id", "logical_date", "state")),
  TriggerDagRun: ({ type: _, dag_id, run_id, reset_dag_run: reset, ...body }) =>
    call("POST", `dag-runs/${dag_id}/${run_id}`, undefined, {
      ...body,
      ...(reset === true && { reset_dag_run: true }),
    }),
  GetAssetByName: (message) => call("GET", "assets/by-name", given(message, "name")),
  GetAssetByUri: (message) => call("GET", "assets/by-uri", given(message, "uri")),
  GetAssetsByAlias: (message) => call("GET", "assets/by-alias", given(message, "alias_name")),
  GetAssetEventByAsset: (message) =>
    call("GET", "asset-events/by-asset", events(message, given(message, "name", "uri"))),
  GetAssetEventByAssetAlias: (message) =>
    call("GET", "asset-events/by-asset-alias", events(message, { name: message["alias_name"] })),
  GetTaskStateStore: ({ ti_id, key }) => call("GET", `store/ti/${ti_id}/${key}`),
  SetTaskStateStore: ({ ti_id, key, value, expires_at }) =>
    call("PUT", `store/ti/${ti_id}/${key}`, undefined, { value, expires_at }),
  DeleteTaskStateStore: ({ ti_id, key }) => call("DELETE", `store/ti/${ti_id}/${key}`),
  ClearTaskStateStore: ({ ti_id }) => call("DELETE", `store/ti/${ti_id}`),
  ...assetStore("name"),
  ...assetStore("uri"),
  CreateHITLDetailPayload: (body) => call("POST", `hitlDetails/${body["ti_id"]}`, undefined, body),
  UpdateDagRunNote: ({ ti_id, note }) =>
    call("PATCH", `task-instances/${ti_id}/dag-run-note`, undefined, { note }),
  // Answered by the supervisor itself.
  MaskSecret: () => [],
  SetExecutionTimeout: () => [],
  UpdateHITLDetail: () => [],
  GetHITLDetailResponse: () => [],
  SucceedTask: state,
  RetryTask: ({ retry_delay_seconds: delay, ...rest }, id) =>
    state({ ...rest, retry_delay_seconds: delay == null ? null : asFloat(delay) }, id),
  DeferTask: state,
  RescheduleTask: state,
  AwaitInputTask: state,
  TaskState: () => [], // told when the process has ended: see api-calls.ts
};
