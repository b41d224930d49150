import { connect, createServer, type Socket } from "node:net";
import { MemoryTaskStore, SecretMasker, type TaskStore } from "@parlance/coordinator";
import { FrameDecoder } from "@parlance/framing";
import type { SchemaVersion } from "@parlance/protocol";
import { AttemptRecord } from "../../dist/supervise/attempt-record.js";
import { recordDagRun } from "../../dist/supervise/dag-run-body.js";
import {
  RequestSession,
  type RequestSessionOptions,
} from "../../dist/supervise/request-session.js";
import { bridgeBetween } from "../../dist/supervise/version-bridge.js";

type Body = { readonly [key: string]: unknown };

/** A request session with nobody's process behind it: bytes go in, the payloads of frames come out. */
export interface RequestPeer {
  readonly store: TaskStore;
  readonly masker: SecretMasker;
  readonly attempt: AttemptRecord;
  readonly session: RequestSession;
  /** What was said of requests that were left without an answer. */
  readonly unanswered: readonly string[];
  readonly socket: Socket;
  /** The session's end of the link. */
  readonly comm: Socket;
  /** Waits for the next frame from the session. */
  next(): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface PeerChoices {
  readonly strictAirflow?: boolean;
  /** The schema version of what is at the other end. */
  readonly runtime?: SchemaVersion;
  readonly handlers?: NonNullable<RequestSessionOptions["handlers"]>;
}

export async function openRequestPeer(
  startupDetails: Body,
  schemaVersion: SchemaVersion = "2026-06-16",
  store: TaskStore = new MemoryTaskStore(),
  { strictAirflow = false, runtime = schemaVersion, handlers }: PeerChoices = {},
): Promise<RequestPeer> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  const comm = await accepted;
  server.close();

  await recordDagRun(store, startupDetails);
  const masker = new SecretMasker();
  const attempt = new AttemptRecord({
    schemaVersion,
    store,
    masker,
    strictAirflow,
    startupDetails,
    now: () => new Date(),
    onReport: () => {},
    onExecutionTimeout: () => {},
  });
  const unanswered: string[] = [];
  const session = new RequestSession({
    comm,
    attempt,
    onUnanswered: ({ message }) => unanswered.push(message),
    ...(handlers && { handlers }),
    bridge: runtime === schemaVersion ? undefined : bridgeBetween(schemaVersion, runtime),
  });
  const decoder = new FrameDecoder({ maxFrameBytes: 2 ** 30 });
  const frames: Uint8Array[] = [];
  let wake: () => void = () => {};
  socket.on("data", (chunk: Buffer) => {
    frames.push(...decoder.push(chunk));
    wake();
  });
  socket.on("close", () => wake());
  const next = async (): Promise<Uint8Array> => {
    for (;;) {
      const frame = frames.shift();
      if (frame !== undefined) return frame;
      if (socket.destroyed) throw new Error("the link has ended");
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const close = async (): Promise<void> => {
    socket.destroy();
    await session.ended;
    comm.destroy();
  };
  return { store, masker, attempt, session, unanswered, socket, comm, next, close };
}
