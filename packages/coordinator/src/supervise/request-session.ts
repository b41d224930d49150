import type { Duplex } from "node:stream";
import { type FrameId, type RequestFrame, SupervisorChannel } from "@parlance/framing";
import type { SchemaVersion } from "@parlance/protocol";
import { type ValidationResult, validateBody } from "@parlance/protocol/validate";
import { type FrameObserver, redactingObserver } from "../redact/frame-observer.ts";
import { StoreError } from "../store/task-store.ts";
import { type Answer, apiError, type Body, invalidRequest } from "./answers.ts";
import type { Attempt, HandlerTable } from "./attempt.ts";
import { type MessageObserver, observedMessage } from "./message-observer.ts";
import { REQUEST_HANDLERS } from "./request-handlers.ts";

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
  readonly #onMessage: MessageObserver | undefined;
  readonly #onUnanswered: RequestSessionOptions["onUnanswered"];
  readonly #onFrame: ReturnType<typeof redactingObserver> | undefined;
  readonly #channel: SupervisorChannel;
  readonly #waiting: { readonly frame: RequestFrame; readonly bytes: number }[] = [];
  #waitingBytes = 0;
  #working: Promise<void> | undefined;

  constructor(options: RequestSessionOptions) {
    this.#comm = options.comm;
    this.#attempt = options.attempt;
    this.#handlers = options.handlers ?? REQUEST_HANDLERS;
    this.#onMessage = options.onMessage;
    this.#onUnanswered = options.onUnanswered;
    this.#onFrame = options.onFrame && redactingObserver(options.onFrame);
    let end: (error: Error | undefined) => void = () => {};
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    this.#channel = new SupervisorChannel(options.comm, {
      maxFrameBytes: options.maxFrameBytes,
      // A float that is whole has to be one again when another task reads it.
      decode: { wrapFloats: true },
      onFrame: (frame, bytes) => this.#take(frame, bytes),
      onEnd: end,
    });
  }

  /** Sends the first message, with the id 0. */
  start(startupDetails: Body): void {
    this.#channel.send({ id: 0, body: startupDetails });
    this.#sent(0, startupDetails, null);
  }

  /** Settles when every request that has arrived is dealt with. */
  async idle(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  close(): void {
    this.#channel.close();
  }

  #take(frame: RequestFrame, bytes: number): void {
    this.#onMessage?.(observedMessage("to-supervisor", frame.id, frame.body));
    this.#onFrame?.("to-supervisor", frame.id, frame.body, frame.carrier);
    this.#waiting.push({ frame, bytes });
    this.#waitingBytes += bytes + REQUEST_BYTES;
    if (this.#waitingBytes >= MAX_WAITING_BYTES) this.#comm.pause();
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  async #work(): Promise<void> {
    let sliceEnd = performance.now() + SLICE_MS;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const { id, body } = next.frame;
      this.#send(id, await this.#answer(body));
      this.#waitingBytes -= next.bytes + REQUEST_BYTES;
      if (this.#channel.queuedBytes > MAX_UNSENT_BYTES) await this.#channel.drained;
      if (this.#waitingBytes < MAX_WAITING_BYTES / 2 && this.#comm.isPaused()) this.#comm.resume();
      if (performance.now() < sliceEnd) continue;
      await new Promise((resolve) => setImmediate(resolve));
      sliceEnd = performance.now() + SLICE_MS;
    }
  }

  #send(id: FrameId, answer: Answer): void {
    const { body = null, error = null } = answer;
    if (answer.invalid === true && this.#attempt.strictAirflow) {
      this.#onUnanswered?.({ id, message: messageOfAnswer(answer) });
      return;
    }
    try {
      this.#channel.send({ id, body, error });
      this.#sent(id, body, error);
    } catch (cause) {
      const failure = apiError(500, `the answer can't be written: ${messageOf(cause)}`);
      this.#channel.send({ id, body: null, error: failure.error });
      this.#sent(id, null, failure.error ?? null);
    }
  }

  #sent(id: FrameId, body: Body | null, error: Body | null): void {
    this.#onMessage?.(observedMessage("to-task", id, body, error));
    this.#onFrame?.("to-task", id, body, error);
  }

  async #answer(body: RequestFrame["body"]): Promise<Answer> {
    const { schemaVersion } = this.#attempt;
    const verdict = validateBody(schemaVersion, "to-supervisor", body);
    if (!verdict.valid) return refusal(verdict, schemaVersion);
    const handler = Object.hasOwn(this.#handlers, verdict.type)
      ? this.#handlers[verdict.type]
      : undefined;
    if (handler === undefined) {
      return apiError(400, `Unhandled request: this supervisor has no answer to ${verdict.type}`);
    }
    try {
      return await handler(body as Body, this.#attempt);
    } catch (error) {
      return apiError(statusOf(error), `${verdict.type}: ${messageOf(error)}`);
    }
  }
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
