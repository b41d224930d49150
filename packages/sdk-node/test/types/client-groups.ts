// What compiles and what must not: the groups of the client. Compiled with the tests, never run.
import { Float, type TaskClient, Timestamp } from "@parlance/sdk-node";

interface Job {
  readonly id: string;
  readonly tries?: number;
  readonly parts: readonly Job[];
}

export async function useStores({ taskState, assetState }: TaskClient, job: Job): Promise<void> {
  await taskState.set("job", job, { keepForMs: null });
  await taskState.set("list", [1n, new Float(2), null, { job }]);
  const kept: Job | null = await taskState.get<Job>("job");
  // @ts-expect-error: there may be none
  kept.id;
  // @ts-expect-error: a state is JSON, a Date is none
  await taskState.set("at", new Date());
  // @ts-expect-error: nor inside of something
  await taskState.set("at", { job, since: new Date() });
  // @ts-expect-error: a Map is no JSON
  await taskState.set("map", new Map());
  // @ts-expect-error: an asset's state does not expire
  await assetState({ name: "a" }).set("mark", 1, { keepForMs: 1 });
  // @ts-expect-error: an asset has a name or a URI
  assetState({});
}

export async function useAssets({ assets }: TaskClient): Promise<void> {
  await assets.emit({ name: "a", uri: "u" }, { extra: { rows: 1, note: undefined }, alias: "x" });
  // @ts-expect-error: extra is a map of JSON
  await assets.emit({ name: "a" }, { extra: 5 });
  const events = await assets.listEvents({ alias: "x" }, { after: new Date(), limit: 1 });
  const date: Date | undefined = events[0]?.timestamp;
  // @ts-expect-error: a moment is no text
  await assets.listEvents({ name: "a" }, { before: "2026-01-01" });
  void date;
}

export async function useRuns({ dagRuns, taskInstances }: TaskClient): Promise<void> {
  const runAfter = Timestamp.fromDate(new Date());
  const run = await dagRuns.trigger({ dagId: "d", runAfter, ifExists: "keep", conf: { a: [1] } });
  const state: "queued" | "running" | "success" | "failed" | null = await dagRuns.getState(run);
  // @ts-expect-error: a Dag has to be named
  await dagRuns.trigger({ runId: "r" });
  // @ts-expect-error: there is no such way
  await dagRuns.trigger({ dagId: "d", ifExists: "skip" });
  await taskInstances.count({ states: ["failed", null] });
  // @ts-expect-error: there is no such state
  await taskInstances.count({ states: ["done"] });
  const states = await taskInstances.getStates({ runIds: ["r"] });
  // @ts-expect-error: a run may not be there
  states["r"]["t"];
  void state;
}

export async function useSequences(client: TaskClient): Promise<void> {
  const sequence = client.getXComSequence<{ cents: number }>({ taskId: "sum" });
  for await (const { cents } of sequence) cents.toFixed(2);
  const last: { cents: number } | undefined = await sequence.at(-1);
  // @ts-expect-error: a task has to be named
  client.getXComSequence({ key: "k" });
  // @ts-expect-error: a sequence is asynchronous
  for (const value of sequence) void value;
  void last;
}
