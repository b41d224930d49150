// What compiles and what must not: the context and the client. Compiled with the tests, never run.
import {
  DateTime,
  Duration,
  type TaskArguments,
  type TaskClient,
  type TaskContext,
  Tuple,
  type XComValue,
} from "@parlance/sdk-node";

interface Row {
  readonly id: number;
}

export function readContext(context: TaskContext): void {
  const ids: readonly string[] = [context.dagId, context.taskId, context.runId];
  const date: Date | null = context.logicalDate;
  const exact: bigint = context.exact.runAfter.seconds;
  // @ts-expect-error: a run may have no logical date
  context.logicalDate.getTime();
  // @ts-expect-error: the context is not written to
  context.tryNumber = 2;
  // @ts-expect-error: names are not those of the wire
  context.dag_id;
  // @ts-expect-error: what a run was triggered with is of any type
  const limit: number = context.conf["limit"];
  void [ids, date, exact, limit];
}

export async function useClient(client: TaskClient): Promise<void> {
  const any: XComValue | null = await client.getXCom({ taskId: "t" });
  const rows: Row[] | null = await client.getXCom<Row[]>({ taskId: "t", mapIndex: 1, raw: true });
  // @ts-expect-error: there may be none
  rows.length;
  const sure: Row[] = await client.getXComOrThrow<Row[]>({ taskId: "t" });
  for await (const row of client.getXComSequence<Row>({ taskId: "t" })) sure.push(row);
  // @ts-expect-error: which task is to be said
  await client.getXCom({ key: "k" });
  // @ts-expect-error: names are not those of the wire
  await client.getXCom({ task_id: "t" });
  // @ts-expect-error: an index is a number
  await client.getXCom({ taskId: "t", mapIndex: "1" });
  await client.setXCom(
    { at: DateTime.fromISO("2026-01-02"), took: Duration.fromMs(1) },
    { key: "k" },
  );
  await client.setXCom(Tuple.of(1, "a", new Set(["b"])), { key: "k" });
  const rowsOrNone: readonly Row[] | undefined = rows ?? undefined;
  await client.setXCom({ rows: rowsOrNone, any }, { key: "k" });
  // @ts-expect-error: a value is stored under a key
  await client.setXCom(1);
  // @ts-expect-error: a function is no XCom value
  await client.setXCom(() => 1, { key: "k" });
  // @ts-expect-error: nor is what will be one
  await client.setXCom(client.getXCom({ taskId: "t" }), { key: "k" });
  const variable: string | null = await client.getVariable("k");
  // @ts-expect-error: a Variable is text
  await client.setVariable("k", 1);
  const connection = await client.getConnection("c");
  // @ts-expect-error: there may be none
  connection.host;
  void [variable, connection];
}

export function useTask(task: TaskArguments): void {
  task.onKill(() => task.log.warning("ending", { code: 1 }));
  // @ts-expect-error: there is no such level
  task.log.fatal("ending");
  // @ts-expect-error: this task declares no inputs
  const input: string = task.inputs["x"];
  void input;
}
