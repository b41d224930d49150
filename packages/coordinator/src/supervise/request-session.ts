import type { Duplex } from "node:stream";
import {
  decodeRequestFrame,
  FrameError,
  type FrameId,
  type RequestFrame,
  SupervisorChannel,
} from "@parlance/framing";
import type { SchemaVersion } from "@parlance/protocol";
import { type ValidationResult, validateBody } from "@parlance/protocol/validate";
import { ExactJsonBytes } from "../large-values/exact-json-bytes.ts";
import { LARGE_BYTES, readLargeRequest, writeLargeAnswer } from "../large-values/run-in-thread.ts";
import { type FrameObserver, redactingObserver } from "../redact/frame-observer.ts";
import { StoreError } from "../store/task-store.ts";
import { type Answer, apiError, type Body, invalidRequest } from "./answers.ts";
import type { Attempt, HandlerTable } from "./attempt.ts";
import { type MessageObserver, observedMessage } from "./message-observer.ts";
import { MigrationError } from "./migration-error.ts";
import { REQUEST_HANDLERS } from "./request-handlers.ts";
import type { VersionBridge } from "./version-bridge.ts";

/**
 * What may wait before no more is read from the child, in bytes. Reading ahead has a reason: when a
 * child dies, what has not been read may be gone with its connection.
 */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** About what a decoded request takes beside the bytes it came in. */
const REQUEST_BYTES = 512;

/** While more waits to be written, no further request is dealt with: it might have a large answer. */
const MAX_UNSENT_BYTES = 1024 * 1024;

/** Then the rest of the process has its turn: one child's requests must not hold up everything. */
const SLICE_MS = 10;

/** A float that is whole has to be one again when another task reads it. */
const DECODE = { wrapFloats: true } as const;

/** What has arrived and waits for its turn: a frame, or the pieces of a large one. */
interface Waiting {
  readonly request: RequestFrame | readonly Uint8Array[];
  readonly bytes: number;
}

type InvalidBody = Extract<ValidationResult, { valid: false }>;

/** A request that stock Airflow would not answer. */
export interface UnansweredRequest {
  readonly id: FrameId;
  /** What is wrong with it. */
  readonly message: string;
}

/** What a {@link RequestSession} needs. */
export interface RequestSessionOptions {
  readonly comm: Duplex;
  readonly attempt: Attempt;
  readonly maxFrameBytes?: number | undefined;
  readonly onMessage?: MessageObserver | undefined;
  /** Told of each request that is left without an answer, with `strictAirflow` only. */
  readonly onUnanswered?: ((refusal: UnansweredRequest) => void) | undefined;
  readonly onFrame?: FrameObserver | undefined;
  /** Default {@link REQUEST_HANDLERS}. */
  readonly handlers?: HandlerTable;
  /** For a runtime of another schema version than the attempt's, which the handlers know. */
  readonly bridge?: VersionBridge | undefined;
}

/**
 * The link to one child: sends StartupDetails and answers what comes, in order and one at a time, as
 * stock does. A message that is not valid is answered in the error slot and changes nothing; stock
 * leaves it without an answer, and so is it here with the attempt's `strictAirflow`.
 */
export class RequestSession {
  /** How the link ended: undefined for a clean end, else a FrameError or the socket's error. */
  readonly ended: Promise<Error | undefined>;
  readonly #comm: Duplex;
  readonly #attempt: Attempt;
  readonly #handlers: HandlerTable;
  readonly #bridge: VersionBridge | undefined;
  readonly #onMessage: MessageObserver | undefined;
  readonly #onUnanswered: RequestSessionOptions["onUnanswered"];
  readonly #onFrame: ReturnType<typeof redactingObserver> | undefined;
  readonly #channel: SupervisorChannel;
  readonly #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #working: Promise<void> | undefined;

  constructor(options: RequestSessionOptions) {
    this.#comm = options.comm;
    this.#attempt = options.attempt;
    this.#handlers = options.handlers ?? REQUEST_HANDLERS;
    this.#bridge = options.bridge;
    this.#onMessage = options.onMessage;
    this.#onUnanswered = options.onUnanswered;
    this.#onFrame = options.onFrame && redactingObserver(options.onFrame);
    let end: (error: Error | undefined) => void = () => {};
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    this.#channel = new SupervisorChannel(options.comm, {
      maxFrameBytes: options.maxFrameBytes,
      decode: DECODE,
      onFrame: (frame, bytes) => {
        this.#observe(frame);
        this.#take(frame, bytes);
      },
      // Who wants to see whole frames has them made here.
      large:
        options.onFrame === undefined
          ? { minBytes: LARGE_BYTES, onPayload: (pieces, bytes) => this.#take(pieces, bytes) }
          : undefined,
      onEnd: end,
    });
  }

  /** Sends the first message, with the id 0. @throws MigrationError when the runtime's version can't say it */
  start(startupDetails: Body): void {
    const body = this.#forRuntime(startupDetails);
    this.#channel.send({ id: 0, body });
    this.#sent(0, body, null);
  }

  /** Settles when every request that has arrived is dealt with. */
  async idle(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  close(): void {
    this.#channel.close();
  }

  #observe({ id, body, carrier }: RequestFrame): void {
    this.#onMessage?.(observedMessage("to-supervisor", id, body));
    this.#onFrame?.("to-supervisor", id, body, carrier);
  }

  #take(request: Waiting["request"], bytes: number): void {
    this.#waiting.push({ request, bytes });
    this.#waitingBytes += bytes + REQUEST_BYTES;
    if (this.#waitingBytes >= MAX_WAITING_BYTES) this.#comm.pause();
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  async #work(): Promise<void> {
    let sliceEnd = performance.now() + SLICE_MS;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const { request, bytes } = next;
      if ("body" in request) {
        const sending = this.#send(request.id, await this.#answer(request.body));
        if (sending !== undefined) await sending; // only then: a wait costs, on small ones too
      } else await this.#dealWithLarge(request, bytes);
      this.#waitingBytes -= next.bytes + REQUEST_BYTES;
      if (this.#channel.queuedBytes > MAX_UNSENT_BYTES) await this.#channel.drained;
      if (this.#waitingBytes < MAX_WAITING_BYTES / 2 && this.#comm.isPaused()) this.#comm.resume();
      if (performance.now() < sliceEnd) continue;
      await new Promise((resolve) => setImmediate(resolve));
      sliceEnd = performance.now() + SLICE_MS;
    }
  }

  async #dealWithLarge(pieces: readonly Uint8Array[], bytes: number): Promise<void> {
    const { schemaVersion } = this.#attempt;
    let read: Awaited<ReturnType<typeof readLargeRequest>>;
    try {
      read = await readLargeRequest(pieces, schemaVersion);
    } catch (cause) {
      const message = `a payload of ${bytes} bytes could not be read: ${messageOf(cause)}`;
      read = { kind: "no-frame", code: "too-large", message, payloadOffset: undefined };
    }
    if (read.kind === "no-frame") {
      this.#waiting.length = 0; // what came behind it is no part of the conversation any more
      const { code, message, payloadOffset } = read;
      const details = payloadOffset === undefined ? {} : { payloadOffset };
      this.#channel.fail(new FrameError(code, message, details));
      return;
    }
    if (read.kind === "other") {
      const frame = decodeRequestFrame(read.payload, DECODE);
      this.#observe(frame);
      return await this.#send(frame.id, await this.#answer(frame.body));
    }
    const { id } = read;
    if (read.kind === "invalid") {
      this.#onMessage?.(observedMessage("to-supervisor", id, { type: read.verdict.type }));
      return await this.#send(id, refusal(read.verdict, schemaVersion));
    }
    this.#onMessage?.(observedMessage("to-supervisor", id, read.body));
    const known = this.#bridge?.up({ ...read.body, value: null }) ?? read.body;
    const body = { ...known, value: new ExactJsonBytes(read.json) };
    await this.#send(id, await this.#handle("SetXCom", body));
  }

  /** Gives a promise only where the answer takes time to be written. */
  #send(id: FrameId, answer: Answer): Promise<void> | undefined {
    const { body = null, error = null } = answer;
    if (answer.invalid === true && this.#attempt.strictAirflow) {
      this.#onUnanswered?.({ id, message: messageOfAnswer(answer) });
      return;
    }
    const field = body === null ? undefined : largeFieldOf(body);
    if (body !== null && field !== undefined) return this.#sendLarge(id, body, field);
    try {
      const sent = body && this.#forRuntime(body);
      this.#channel.send({ id, body: sent, error });
      this.#sent(id, sent, error);
    } catch (cause) {
      this.#sendFailure(id, cause);
    }
    return undefined;
  }

  async #sendLarge(id: FrameId, body: Body, field: string): Promise<void> {
    const { bytes: json } = body[field] as ExactJsonBytes;
    try {
      const { [field]: _, ...rest } = this.#forRuntime({ ...body, [field]: null });
      this.#channel.sendEncoded(await writeLargeAnswer({ id, body: rest, field, json }));
      this.#sent(id, rest, null);
    } catch (cause) {
      this.#sendFailure(id, cause);
    }
  }

  #sendFailure(id: FrameId, cause: unknown): void {
    const failure = apiError(500, `the answer can't be written: ${messageOf(cause)}`);
    this.#channel.send({ id, body: null, error: failure.error });
    this.#sent(id, null, failure.error ?? null);
  }

  #sent(id: FrameId, body: Body | null, error: Body | null): void {
    this.#onMessage?.(observedMessage("to-task", id, body, error));
    this.#onFrame?.("to-task", id, body, error);
  }

  #forRuntime(body: Body): Body {
    return this.#bridge?.down(body) ?? body;
  }

  /** A request is judged as it was sent, and by our own version: an older child may use what is newer. */
  #answer(body: RequestFrame["body"]): Promise<Answer> | Answer {
    const { schemaVersion } = this.#attempt;
    const verdict = validateBody(schemaVersion, "to-supervisor", body);
    if (!verdict.valid) return refusal(verdict, schemaVersion);
    if (this.#bridge === undefined) return this.#handle(verdict.type, body as Body);
    try {
      return this.#handle(verdict.type, this.#bridge.up(body as Body));
    } catch (error) {
      if (!(error instanceof MigrationError)) throw error;
      return refusal({ valid: false, type: verdict.type, errors: error.issues }, schemaVersion);
    }
  }

  async #handle(type: string, body: Body): Promise<Answer> {
    const handler = Object.hasOwn(this.#handlers, type) ? this.#handlers[type] : undefined;
    if (handler === undefined) {
      return apiError(400, `Unhandled request: this supervisor has no answer to ${type}`);
    }
    try {
      return await handler(body, this.#attempt);
    } catch (error) {
      return apiError(statusOf(error), `${type}: ${messageOf(error)}`);
    }
  }
}

/** The fields that a large XCom is answered in. */
function largeFieldOf(body: Body): string | undefined {
  return ["value", "root"].find((field) => body[field] instanceof ExactJsonBytes);
}

function refusal(verdict: InvalidBody, schemaVersion: SchemaVersion): Answer {
  const errors = verdict.errors.map(({ path, message }) => ({ path, message }));
  const first = errors[0];
  const where =
    first === undefined ? "" : `: ${first.path === "" ? "body" : first.path} ${first.message}`;
  return invalidRequest(
    `${verdict.type ?? "message"} is not valid in schema ${schemaVersion}${where}`,
    errors,
  );
}

function messageOfAnswer({ error }: Answer): string {
  const detail = error?.["detail"] as { readonly message?: unknown } | undefined;
  return String(detail?.message);
}

const STORE_STATUS = new Map([
  ["bad-key", 400],
  ["bad-value", 400],
  ["store-busy", 503],
]);

function statusOf(error: unknown): number {
  return error instanceof StoreError ? (STORE_STATUS.get(error.code) ?? 500) : 500;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
