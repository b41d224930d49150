import { Duplex } from "node:stream";
import { SupervisorChannel, TaskChannel, type WireMap } from "@parlance/framing";
import { Requester } from "../../dist/client/requester.js";
import { type ClientOptions, SupervisorClient } from "../../dist/client/supervisor-client.js";
import { readStartupDetails } from "../../dist/context.js";
import { startupDetails } from "./fake-supervisor.ts";

export type Reply = { body?: unknown; error?: unknown };

/** A client without a process or a socket, and what it sent. */
export interface OpenClient {
  readonly client: SupervisorClient;
  readonly sent: WireMap[];
}

/** Two ends of one link without a socket. */
function pair(): [Duplex, Duplex] {
  const ends: Duplex[] = [];
  const end = (index: number): Duplex =>
    new Duplex({
      read() {},
      write(chunk, _encoding, done) {
        ends[1 - index]?.push(chunk);
        done();
      },
    });
  ends.push(end(0), end(1));
  return ends as [Duplex, Duplex];
}

export interface OpenOptions extends ClientOptions {
  readonly mapIndex?: number;
  /** Over the defaults of the run. */
  readonly run?: WireMap;
}

/** A client whose requests are answered by `reply`, in a task d.t of run manual__1. */
export function openClient(reply: (body: WireMap) => Reply, options: OpenOptions = {}): OpenClient {
  const { mapIndex = -1, run = {}, ...clientOptions } = options;
  const [ours, theirs] = pair();
  const sent: WireMap[] = [];
  const supervisor: SupervisorChannel = new SupervisorChannel(theirs, {
    onEnd: () => {},
    onFrame: ({ id, body }) => {
      sent.push(body ?? {});
      supervisor.send({ id, ...reply(body ?? {}) });
    },
  });
  supervisor.send({ id: 0, body: { type: "first" } });
  const details = startupDetails({ taskInstance: { map_index: mapIndex } });
  const tiContext = details["ti_context"] as WireMap;
  const body = {
    ...details,
    ti_context: { ...tiContext, dag_run: { ...(tiContext["dag_run"] as WireMap), ...run } },
  };
  const { signal } = new AbortController();
  const { context } = readStartupDetails(body, { signal, findTimeout: () => null });
  const requester = new Requester(new TaskChannel(ours), { carrier: null, onSlow: () => {} });
  return { client: new SupervisorClient(requester, context, clientOptions), sent };
}

/** Always the same answer. */
export const body = (answer: unknown) => (): Reply => ({ body: answer });

/** An error as the supervisor words it. */
export const failure = (error: string, detail: unknown = null): object => ({
  type: "ErrorResponse",
  error,
  detail,
});

/** A value that has to be there. */
export function present<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error("it is not there");
  return value;
}
