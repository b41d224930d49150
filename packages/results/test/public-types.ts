import {
  DateTime,
  openResultStore,
  parseResultsUrl,
  type ResultNode,
  ResultsError,
  type ResultTables,
  SerializerError,
  type StoreOutcome,
  type TaskMeta,
  type UndecodedColumn,
} from "@parlance/results";
import type { Kysely } from "kysely";

// What an editor says to right and wrong uses; compiled, never run.

export async function rightUses(url: string | undefined, signal?: AbortSignal): Promise<void> {
  await using store = await openResultStore(url, {
    extended: true,
    signal,
    tableNames: { task: "t" },
    beforeConnect: async ({ host }) => ({ password: `token for ${host}` }),
    dates: "celery",
    timezone: "Europe/Berlin",
  });
  const outcome: StoreOutcome = await store.store("id", {
    state: "PROGRESS",
    result: { done: 1n, at: DateTime.fromDate(new Date()) },
    children: ["child", { kind: "group", id: "g", parent: null, members: [] }],
    request: { task: "tasks.add", args: [1, 2], retries: 0 },
    stamps: { tenant: "acme" },
  });
  if (!outcome.written) return;
  const meta: TaskMeta = await store.get("id", { undecodable: "keep" });
  const unread: readonly UndecodedColumn[] = meta.undecodable ?? [];
  for (const { column, error } of unread) console.log(column, error.code);
  const { dateDone } = await store.wait("id", { timeoutMs: 1000, signal });
  console.log(dateDone?.getTime());
  for await (const { taskId, resultBytes } of store.list({ state: "FAILURE", signal })) {
    console.log(taskId.length, resultBytes?.toFixed());
  }
  const group = await store.restoreGroup("g");
  const members: readonly ResultNode[] = group?.members ?? [];
  await store.saveGroup("g2", members, { parent: "id", replace: true });
  const db: Kysely<ResultTables> = await store.database.kysely();
  const rows = await db.selectFrom("task").select(["task_id", "status"]).execute();
  console.log(rows[0]?.status?.length);
  console.log(parseResultsUrl("db+sqlite:///x").masked);
}

export function branches(error: unknown): string | undefined {
  if (error instanceof ResultsError) {
    switch (error.code) {
      case "value-too-large":
        return `${error.facts.sizeBytes} of ${error.facts.limitBytes}`;
      case "timeout":
        return "later";
      default:
        return error.facts.operation;
    }
  }
  return error instanceof SerializerError ? error.path : undefined;
}

export async function wrongUses(): Promise<void> {
  // @ts-expect-error there is no such serializer
  const store = await openResultStore("db+sqlite://", { serializer: "pickle" });
  // @ts-expect-error a state is needed
  await store.store("id", { result: 1 });
  // @ts-expect-error ids are text
  await store.get(5);
  // @ts-expect-error a task node has a parent, if only null
  await store.saveGroup("g", [{ kind: "task", id: "a" }]);
  // @ts-expect-error milliseconds are called so
  await store.wait("id", { timeout: 5 });
  // @ts-expect-error no such condition
  store.list({ status: "SUCCESS" });
  // @ts-expect-error what is read is not changed
  (await store.get("id")).state = "SUCCESS";
  const db = await store.database.kysely();
  // @ts-expect-error no such column
  db.selectFrom("task").select("state");
  // @ts-expect-error no such code
  console.log(new ResultsError("gone", "message").code === "vanished");
}
