import { fileURLToPath } from "node:url";
import { TaskChannel } from "@parlance/framing";
import type { TaskContext } from "@parlance/sdk-node";
import { type AirflowLink, type AirflowLinkOptions, openAirflowLink } from "@parlance/test-kit";
import { Requester, type Validate } from "../../../../packages/sdk-node/dist/client/requester.js";
import { SupervisorClient } from "../../../../packages/sdk-node/dist/client/supervisor-client.js";
import { readStartupDetails } from "../../../../packages/sdk-node/dist/context.js";
import { DAG_RUNS, TASK_INSTANCES } from "./api-requests.ts";

/** The Node SDK's client of a task in a real Airflow. */
export interface AirflowClient {
  readonly client: SupervisorClient;
  readonly context: TaskContext;
  /** Sends a message that the client has no call for; the faults are Airflow's to find. */
  send(body: { readonly type: string; readonly [field: string]: unknown }): Promise<unknown>;
  close(): Promise<void>;
}

/** In task `t` of run `r` of the Dags in `fixtures/api-dags`, with the runs of the request tests. */
export async function openAirflowClient(
  version: AirflowLinkOptions["version"],
  schemaVersion: "2026-06-16" | "2026-10-30",
): Promise<AirflowClient> {
  const dagsFolder = fileURLToPath(
    new URL("../../../test/airflow/fixtures/api-dags", import.meta.url),
  );
  const taskInstances = TASK_INSTANCES.map((instance) => {
    const isOwn = instance.run_id === "r" && instance.task_id === "t" && instance.map_index < 0;
    return isOwn ? { ...instance, state: "queued" } : instance;
  });
  const options = { version, schemaVersion, dagsFolder, dagRuns: DAG_RUNS, taskInstances };
  const airflow = openAirflowLink(options);
  const channel = new TaskChannel(airflow.link, { requestTimeoutMs: Number.POSITIVE_INFINITY });
  const details = await startupDetails(channel, airflow);
  const requester = new Requester(channel, { carrier: null, onSlow: () => {} });
  const anything: Validate = () => [];
  return {
    client: new SupervisorClient(requester, details.context, details),
    context: details.context,
    send: (body) => requester.send(body, anything),
    close: () => airflow.close(),
  };
}

async function startupDetails(channel: TaskChannel, airflow: AirflowLink) {
  try {
    const { body } = await channel.first({ timeoutMs: Number.POSITIVE_INFINITY });
    const { signal } = new AbortController();
    return readStartupDetails(body ?? {}, { signal, findTimeout: () => null });
  } catch (cause) {
    throw new Error(`Airflow did not start: ${airflow.complaints()}`, { cause });
  }
}
