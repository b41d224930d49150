import type { Timestamp } from "@parlance/framing";

/** Which task instance something belongs to. */
export interface InstanceKey {
  readonly dagId: string;
  readonly runId: string;
  readonly taskId: string;
  /** -1 for a task that is not mapped. */
  readonly mapIndex: number;
}

/** One stored XCom; `value` is in wire form. */
export interface MemoryXCom extends InstanceKey {
  readonly key: string;
  readonly value: unknown;
  readonly mappedLength: number | null;
}

/** A Connection; absent parts are null. */
export interface MemoryConnection {
  readonly type: string;
  readonly host: string | null;
  readonly schema: string | null;
  readonly login: string | null;
  readonly password: string | null;
  readonly port: number | null;
  readonly extra: string | null;
}

/** A Dag run that a task can ask for. */
export interface MemoryRun {
  readonly dagId: string;
  readonly runId: string;
  readonly state: string;
  readonly runType: string;
  readonly logicalDate: Timestamp | null;
  readonly dataIntervalStart: Timestamp | null;
  readonly dataIntervalEnd: Timestamp | null;
  readonly runAfter: Timestamp;
  readonly startDate: Timestamp | null;
  readonly endDate: Timestamp | null;
  readonly conf: { readonly [key: string]: unknown };
  readonly note: string | null;
  readonly partitionKey: string | null;
  readonly clearNumber: number;
}

/** What is known of another task instance. */
export interface MemoryInstance extends InstanceKey {
  readonly state: string | null;
  readonly tryNumber: number;
  readonly startDate: Timestamp | null;
  readonly endDate: Timestamp | null;
}

/** An asset that a Dag has named. */
export interface MemoryAsset {
  readonly name: string;
  readonly uri: string;
  readonly group: string;
  readonly extra: { readonly [key: string]: unknown };
  readonly active: boolean;
  readonly aliases: readonly string[];
}

/** A change of an asset. */
export interface MemoryAssetEvent {
  readonly name: string;
  readonly uri: string;
  readonly timestamp: Timestamp;
  readonly extra: { readonly [key: string]: unknown };
  readonly aliases: readonly string[];
  readonly partitionKey: string | null;
  readonly source: InstanceKey | null;
}

/** Everything that an Airflow in memory knows. Tables are plain; who asks for what is elsewhere. */
export class MemoryState {
  readonly variables: Map<string, string> = new Map();
  readonly connections: Map<string, MemoryConnection> = new Map();
  readonly xcoms: Map<string, MemoryXCom> = new Map();
  readonly runs: MemoryRun[] = [];
  readonly instances: Map<string, MemoryInstance> = new Map();
  readonly assets: MemoryAsset[] = [];
  readonly assetEvents: MemoryAssetEvent[] = [];
  /** Values of task instances and of assets: by scope, then by key. */
  readonly states: Map<string, Map<string, unknown>> = new Map();

  /** Adds a run, in place of one with the same ids. */
  setRun(run: MemoryRun): void {
    const at = this.runs.findIndex(
      ({ dagId, runId }) => dagId === run.dagId && runId === run.runId,
    );
    if (at < 0) this.runs.push(run);
    else this.runs[at] = run;
  }

  run(dagId: string, runId: string): MemoryRun | undefined {
    return this.runs.find((run) => run.dagId === dagId && run.runId === runId);
  }

  setXCom(xcom: MemoryXCom): void {
    this.xcoms.set(xcomId(xcom), xcom);
  }

  setInstance(instance: MemoryInstance): void {
    this.instances.set(instanceId(instance), instance);
  }

  /** The latest run of a Dag with a logical date before this one. */
  previousRun(dagId: string, before: Timestamp, state: string | null): MemoryRun | undefined {
    return this.runs
      .filter((run) => run.dagId === dagId && (state === null || run.state === state))
      .filter(({ logicalDate }) => logicalDate !== null && compare(logicalDate, before) < 0)
      .sort((a, b) => compare(a.logicalDate as Timestamp, b.logicalDate as Timestamp))
      .at(-1);
  }
}

/** One text for the five parts of an XCom's address. */
export function xcomId({
  dagId,
  runId,
  taskId,
  key,
  mapIndex,
}: Omit<MemoryXCom, "value" | "mappedLength">): string {
  return JSON.stringify([dagId, runId, taskId, key, mapIndex]);
}

/** One text for the four parts of a task instance's name. */
export function instanceId({ dagId, runId, taskId, mapIndex }: InstanceKey): string {
  return JSON.stringify([dagId, runId, taskId, mapIndex]);
}

/** Which of two moments comes first, as a sort function tells it. */
export function compare(a: Timestamp, b: Timestamp): number {
  if (a.seconds !== b.seconds) return a.seconds < b.seconds ? -1 : 1;
  return a.nanoseconds - b.nanoseconds;
}
