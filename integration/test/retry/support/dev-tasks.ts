import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSqliteTaskStore } from "@parlance/coordinator";
import {
  DagRunner,
  openRunHistory,
  type RunnableDag,
  readSerializedDag,
} from "@parlance/coordinator/dag-run";
import { type DevProject, startDevServer } from "@parlance/dev";
import { ORDER_FIELDS } from "@parlance/retry";
import { temporaryFolder } from "@parlance/test-kit";
import { openSerialiser } from "../../dags/support/serialise-files.ts";
import type { GenuineAnswer } from "./ask-rest-tasks.ts";

/** A Dag file of stubs alone: those can be run here, so they can be shown. */
export const STUB_FILES: readonly string[] = [
  fileURLToPath(new URL("../../../test/dags/fixtures/every_field.py", import.meta.url)),
];

/** Their Dags, serialised by a real Airflow and read as they are here. */
export async function stubDags(interpreter: string): Promise<RunnableDag[]> {
  const serialiser = openSerialiser(interpreter);
  try {
    const dags: RunnableDag[] = [];
    for (const file of STUB_FILES) {
      const answer = await serialiser.serialise(file);
      if (answer.error !== undefined) throw new Error(answer.error);
      dags.push(...Object.values(answer.dags ?? {}).map(readSerializedDag));
    }
    return dags;
  } finally {
    serialiser.close();
  }
}

/** Every order both ways, every task, and what is refused. */
export function stubRequests(dags: readonly RunnableDag[]): readonly (readonly [string, string])[] {
  const get = (target: string) => ["GET", target] as const;
  const orders = ORDER_FIELDS.filter((field) => field !== "weight_rule"); // a 500 there: see rest.test.ts
  return [
    ...dags.flatMap(({ dagId, tasks }) => {
      const path = `/api/v2/dags/${dagId}/tasks`;
      return [
        get(path),
        ...orders.flatMap((field) => [
          get(`${path}?order_by=${field}`),
          get(`${path}?order_by=-${field}`),
        ]),
        ...tasks.map(({ taskId }) => get(`${path}/${taskId}`)),
        get(`${path}/nope`),
        get(`${path}?order_by=nope`),
        ...["POST", "PUT", "PATCH", "DELETE"].flatMap((method) => [
          [method, path] as const,
          [method, `${path}/nope`] as const,
        ]),
      ];
    }),
    get("/api/v2/dags/nope/tasks"),
    get("/api/v2/dags/nope/tasks/nope"),
  ];
}

/** Asks a server. */
export type Ask = (method: string, target: string) => Promise<GenuineAnswer>;

/** Serves these Dags as `parlance dev` does, to a client with a session. */
export async function withDevServer(
  dags: readonly RunnableDag[],
  work: (ask: Ask) => Promise<void>,
) {
  const store = await openSqliteTaskStore(join(temporaryFolder(), "runs.db"));
  const program = {
    argv: ["true"],
    schemaVersion: "2026-06-16",
    dags,
    plainTasks: new Map<string, string[]>(),
    loadedAt: new Date(),
  } as const;
  const project: DevProject = {
    name: "recorded",
    current: () => ({ revision: 1, program, error: null }),
    onChange: () => () => {},
  };
  const server = await startDevServer({
    project,
    history: openRunHistory(store),
    runner: new DagRunner(store),
    teachSecrets: (masker) => store.teachSecrets(masker),
  });
  try {
    const signedIn = await fetch(server.url, { redirect: "manual" });
    const cookie = signedIn.headers.get("set-cookie") ?? "";
    await work(async (method, target) => {
      const answer = await fetch(new URL(target, server.url), { method, headers: { cookie } });
      const { status, headers } = answer;
      const text = await answer.text();
      return {
        status,
        allow: headers.get("allow"),
        contentType: headers.get("content-type"),
        text,
      };
    });
  } finally {
    await server.close();
    await store.close();
  }
}
