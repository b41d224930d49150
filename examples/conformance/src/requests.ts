// What the client of @parlance/sdk-node has for each message of the protocol.
import type { TaskClient } from "@parlance/sdk-node";

/** A message of a case, with the fields of the wire. */
export interface Request {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a message has the fields that its type has
  readonly [field: string]: any;
}

type Ask = (client: TaskClient, request: Request) => Promise<unknown>;

const asset: Ask = (client, { type, name, uri, key, value }) => {
  const state = client.assetState(name === undefined ? { uri } : { name });
  if (type.startsWith("Set")) return state.set(key, value);
  if (type.startsWith("Get")) return state.get(key);
  return type.startsWith("Delete") ? state.delete(key) : state.clear();
};

const ASK: { readonly [type: string]: Ask } = {
  GetXComCount: (client, { task_id: taskId }) => client.countXComs({ taskId }),
  GetXComSequenceItem: (client, { task_id: taskId, offset: index }) =>
    client.getXComItem({ taskId, index }),
  GetXComSequenceSlice: (client, { task_id: taskId, start, stop, step }) =>
    client.getXComSlice({ taskId, start, stop, step }),
  DeleteXCom: (client, { key }) => client.deleteXCom({ key }),
  GetVariableKeys: (client, { prefix, limit, offset }) =>
    client.listVariableKeys({ prefix, limit, offset }),
  GetAssetByName: (client, { name }) => client.assets.get({ name }),
  GetAssetByUri: (client, { uri }) => client.assets.get({ uri }),
  GetAssetsByAlias: (client, { alias_name: alias }) => client.assets.listByAlias(alias),
  GetAssetEventByAsset: (client, { name }) => client.assets.listEvents({ name }),
  GetAssetEventByAssetAlias: (client, { alias_name: alias }) => client.assets.listEvents({ alias }),
  ValidateInletsAndOutlets: (client) => client.assets.listInactive(),
  GetDag: (client, { dag_id: dagId }) => client.dagRuns.getDag(dagId),
  GetDagRun: (client, { dag_id: dagId, run_id: runId }) => client.dagRuns.get({ dagId, runId }),
  GetDagRunState: (client, { dag_id: dagId, run_id: runId }) =>
    client.dagRuns.getState({ dagId, runId }),
  GetDRCount: (client, { dag_id: dagId, states }) => client.dagRuns.count({ dagId, states }),
  GetPreviousDagRun: (client, { dag_id: dagId, logical_date }) =>
    client.dagRuns.getPrevious({ dagId, logicalDate: new Date(logical_date) }),
  GetPrevSuccessfulDagRun: (client) => client.dagRuns.getPreviousSuccess(),
  TriggerDagRun: (client, { dag_id: dagId, run_id: runId, conf }) =>
    client.dagRuns.trigger({ dagId, runId, conf }),
  UpdateDagRunNote: (client, { note }) => client.dagRuns.setNote(note),
  GetTICount: (client, { dag_id: dagId, run_ids: runIds, task_ids: taskIds, states }) =>
    client.taskInstances.count({ dagId, runIds, taskIds, states }),
  GetTaskStates: (client, { dag_id: dagId, run_ids: runIds, task_ids: taskIds }) =>
    client.taskInstances.getStates({ dagId, runIds, taskIds }),
  GetPreviousTI: (client, { dag_id: dagId, task_id: taskId, logical_date }) =>
    client.taskInstances.getPrevious({ dagId, taskId, logicalDate: new Date(logical_date) }),
  GetTaskRescheduleStartDate: (client) => client.taskInstances.getFirstReschedule(),
  GetTaskBreadcrumbs: (client, { dag_id: dagId, run_id: runId }) =>
    client.taskInstances.listEnded({ dagId, runId }),
  SetTaskStateStore: (client, { key, value }) => client.taskState.set(key, value),
  GetTaskStateStore: (client, { key }) => client.taskState.get(key),
  DeleteTaskStateStore: (client, { key }) => client.taskState.delete(key),
  ClearTaskStateStore: (client) => client.taskState.clear(),
  ...Object.fromEntries(
    ["Set", "Get", "Delete", "Clear"].flatMap((verb) =>
      ["Name", "Uri"].map((by) => [`${verb}AssetStateStoreBy${by}`, asset]),
    ),
  ),
  MaskSecret: (client, { value, name }) => client.maskSecret(value, { name }),
  SetRenderedFields: (client, { rendered_fields: fields }) => client.setRenderedFields(fields),
  SetRenderedMapIndex: (client, { rendered_map_index: text }) => client.setRenderedMapIndex(text),
};

/** Sends a message by the client's own function for it. */
export async function ask(client: TaskClient, request: Request): Promise<unknown> {
  const found = ASK[request.type];
  if (found === undefined) throw new Error(`the client has nothing for ${request.type}`);
  return await found(client, request);
}
