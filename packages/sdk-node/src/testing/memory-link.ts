import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { SupervisorChannel, Timestamp } from "@parlance/framing";
import type { Bundle } from "../bundle.ts";
import { ProcessMonitor } from "../runtime/process-monitor.ts";
import { runSession } from "../runtime/session.ts";
import type { Answer, Asking, Body } from "./answers/answer.ts";
import { EMPTY } from "./answers/answer.ts";
import { answerRequest } from "./answers/answer-request.ts";
import { recordAssetEvents } from "./answers/assets.ts";
import type { CapturedLogs } from "./captured-logs.ts";
import { duplexPair } from "./duplex-pair.ts";
import type { InstanceKey, MemoryState } from "./memory-state.ts";
import { isTerminal } from "./read-outcome.ts";
import { TEST_INSTANCE_ID } from "./startup-details.ts";

/** What one try is run with. */
export interface TrySetting {
  readonly bundle: Bundle;
  readonly details: Body;
  readonly instance: InstanceKey;
  readonly state: MemoryState;
  readonly logs: CapturedLogs;
  readonly stop: AbortSignal | undefined;
}

/** What a try sent. */
export interface TryRecord {
  /** Messages that end a task; one, if all is well. */
  readonly terminal: readonly Body[];
  readonly skippedTasks: readonly (string | readonly [taskId: string, mapIndex: number])[];
  /** Every message, in order. */
  readonly requests: readonly Body[];
}

const LIMITS = { firstFrameTimeoutMs: 30_000, requestTimeoutMs: 600_000, graceMs: 3000 };

/** Runs a try by the real runtime, over a link in memory, with the process left alone. */
export async function runTry({
  bundle,
  details,
  stop,
  ...setting
}: TrySetting): Promise<TryRecord> {
  const { logs } = setting;
  const [taskEnd, airflowEnd] = duplexPair();
  const { channel, record } = answerOn(airflowEnd, setting);
  const fakeProcess = new EventEmitter() as unknown as NodeJS.Process;
  const exited = new Promise<void>((resolve) => {
    fakeProcess.exit = (() => resolve()) as never;
  });
  const onAbort = (): void => void fakeProcess.emit("SIGTERM", "SIGTERM");
  stop?.addEventListener("abort", onAbort);
  channel.send({ id: 0, body: details });
  const session = runSession({
    comm: taskEnd as Socket,
    bundle,
    monitor: new ProcessMonitor(fakeProcess, () => {}),
    log: logs.logger("task"),
    runtimeLog: logs.logger("parlance"),
    options: LIMITS,
    whileReporting: () => {},
    flush: () => Promise.resolve(true),
  });
  if (stop?.aborted === true) onAbort();
  await Promise.race([session, exited]);
  stop?.removeEventListener("abort", onAbort);
  channel.close();
  taskEnd.destroy();
  return record;
}

function answerOn(
  end: Parameters<typeof newChannel>[0],
  { state, instance, logs }: Pick<TrySetting, "state" | "instance" | "logs">,
): { channel: SupervisorChannel; record: TryRecord } {
  const asking: Asking = {
    state,
    instance,
    instanceId: TEST_INSTANCE_ID,
    addSecret: (text) => logs.addSecret(text),
  };
  const terminal: Body[] = [];
  const skippedTasks: (string | readonly [string, number])[] = [];
  const requests: Body[] = [];
  const channel = newChannel(end, (body) => {
    requests.push(body);
    if (body["type"] === "SkipDownstreamTasks") skippedTasks.push(...(body["tasks"] as string[]));
    if (!isTerminal(body)) return answerRequest(body, asking);
    if (body["type"] === "SucceedTask") {
      recordAssetEvents(body, asking, Timestamp.fromDate(new Date()));
    }
    terminal.push(body);
    return EMPTY;
  });
  return { channel, record: { terminal, skippedTasks, requests } };
}

function newChannel(
  end: ConstructorParameters<typeof SupervisorChannel>[0],
  answer: (body: Body) => Answer,
): SupervisorChannel {
  const channel: SupervisorChannel = new SupervisorChannel(end, {
    onEnd: () => {},
    onFrame: ({ id, body }) => channel.send({ id, ...answer(body ?? {}) }),
  });
  return channel;
}
