import { Socket } from "node:net";
import { Duplex } from "node:stream";
import { decodeResponseFrame, FrameDecoder } from "@parlance/framing";
import type { LinkPlan } from "../case/case-types.ts";
import { FrameLog } from "./frame-log.ts";
import { messageType } from "./message-type.ts";
import { type OutgoingFrame, reshapeFrame, withPrefix } from "./reshape-frame.ts";

/** How long to wait for a further request before answers that are kept back go out. */
const QUIET_MS = 700;
/** Between two parts of a frame: a runtime shall read one before the other is there, on a busy machine, too. */
const APART_MS = 100;
const MAX_FRAME_BYTES = 2 ** 32 - 1;

/**
 * Stands between a supervisor and the socket of a runtime. It passes on what the runtime says unchanged, does to the
 * supervisor's frames what the case asks for, and keeps everything that crossed in {@link FrameLog}.
 */
export class LinkStage extends Duplex {
  readonly log: FrameLog = new FrameLog();
  /** Types of the requests that had no answer yet when the runtime closed the link. */
  leftUnanswered: readonly string[] = [];
  /** When the link was cut, in `performance.now()`. */
  cutAt: number | undefined;
  readonly #socket: Duplex;
  readonly #plan: LinkPlan;
  readonly #tell: (type: string) => void;
  readonly #requests = new FrameDecoder({ maxFrameBytes: MAX_FRAME_BYTES });
  readonly #answers = new FrameDecoder({ maxFrameBytes: MAX_FRAME_BYTES });
  /** Types of the requests by id, for answers of the kit's own. */
  readonly #asked = new Map<string, string>();
  readonly #unanswered = new Map<string, string>();
  readonly #kept: Buffer[] = [];
  #quiet: NodeJS.Timeout | undefined;
  #held: NodeJS.Timeout | undefined;
  #sawStartup = false;
  #strayed = false;
  #writing: Promise<void> = Promise.resolve();

  /** @param onRequest - told of the type of every request, before the supervisor sees it */
  constructor(socket: Duplex, plan: LinkPlan, onRequest: (type: string) => void = () => {}) {
    super({ allowHalfOpen: true });
    this.#socket = socket;
    this.#plan = plan;
    this.#tell = onRequest;
    socket.on("data", (chunk: Buffer) => this.#onRequestBytes(chunk));
    socket.on("end", () => {
      this.leftUnanswered = [...this.#unanswered.values()];
      this.push(null);
    });
    socket.on("error", (error) => this.destroy(error));
    socket.on("close", () => this.destroy());
    socket.pause();
    if (plan.cut?.at === "connect") this.#cut();
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    for (const payload of this.#answers.push(chunk)) this.#onAnswer(payload);
    void this.#writing.then(() => done(), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#release();
    void this.#writing.then(() => this.#socket.end(() => done()));
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#held);
    this.#socket.destroy();
    done(error);
  }

  #onRequestBytes(chunk: Buffer): void {
    if (this.cutAt !== undefined) return;
    try {
      for (const payload of this.#requests.push(chunk)) this.#onRequest(payload);
    } catch {
      // The supervisor says what is wrong with it.
    }
    if (!this.push(chunk)) this.#socket.pause();
  }

  #onRequest(payload: Uint8Array): void {
    const seen = this.log.note("to-supervisor", withPrefix(payload));
    const type = messageType(seen.body);
    if (seen.id !== undefined && type !== undefined) {
      this.#asked.set(String(seen.id), type);
      this.#unanswered.set(String(seen.id), type);
      this.#tell(type);
    }
    if (this.#kept.length > 0) this.#waitForQuiet();
    const at = this.#plan.cut?.at;
    const isCutHere = typeof at === "object" && "request" in at && at.request === type;
    if (isCutHere && this.#plan.cut?.halfFrame !== true) this.#cut();
  }

  #onAnswer(payload: Uint8Array): void {
    if (this.cutAt !== undefined) return;
    const isStartup = !this.#sawStartup;
    this.#sawStartup = true;
    const frame: OutgoingFrame = { payload, asked: this.#askedBy(payload, isStartup) };
    if (frame.asked !== undefined && frame.asked === this.#plan.hold) return;
    const bytes = reshapeFrame(frame, this.#plan);
    if (isStartup) this.#sendStartup(bytes);
    else if (this.#isCutIn(frame.asked)) this.#cutIn(bytes);
    else this.#sendAnswer(bytes);
    const at = this.#plan.cut?.at;
    if (typeof at === "object" && "answer" in at && at.answer === frame.asked) this.#cutBehind();
  }

  /** Ends the link behind what has been written so far. */
  #cutBehind(): void {
    void this.#writing.then(() => this.#cut());
  }

  #sendStartup(bytes: Buffer): void {
    const { cut, startup } = this.#plan;
    if (startup === "never") return;
    if (typeof startup === "number") this.#held = setTimeout(() => this.#send([bytes]), startup);
    else if (cut?.at !== "startup") this.#send([bytes]);
    else if (cut.halfFrame) this.#cutIn(bytes);
    else {
      this.#send([bytes]);
      this.#cutBehind();
    }
  }

  #isCutIn(asked: string | undefined): boolean {
    const { cut } = this.#plan;
    const at = cut?.halfFrame === true && typeof cut.at === "object" ? cut.at : undefined;
    return at !== undefined && "request" in at && at.request === asked;
  }

  /** The type of the request that an answer belongs to, where the case makes a difference by it. */
  #askedBy(payload: Uint8Array, isStartup: boolean): string | undefined {
    const { replace, cut, hold } = this.#plan;
    const matters = replace !== undefined || hold !== undefined || typeof cut?.at === "object";
    if (isStartup || !matters) return undefined;
    return this.#asked.get(String(decodeResponseFrame(payload).id));
  }

  #sendAnswer(bytes: Buffer): void {
    const { reverse, coalesce, strayAnswer, repeatAnswers } = this.#plan;
    if (strayAnswer !== undefined && !this.#strayed) {
      this.#strayed = true;
      this.#send([reshapeFrame({ stray: strayAnswer }, this.#plan)]);
    }
    const wanted = reverse ?? coalesce;
    this.#kept.push(bytes);
    if (repeatAnswers) this.#kept.push(bytes);
    if (this.#kept.length >= (wanted ?? 1)) this.#release();
    else this.#waitForQuiet();
  }

  #waitForQuiet(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#release(), QUIET_MS);
  }

  #release(): void {
    clearTimeout(this.#quiet);
    const kept = this.#kept.splice(0);
    if (kept.length === 0) return;
    this.#send(this.#plan.reverse === undefined ? kept : kept.reverse());
  }

  #send(frames: readonly Buffer[]): void {
    for (const frame of frames) {
      const { id } = this.log.note("to-task", frame);
      this.#unanswered.delete(String(id));
    }
    const all = Buffer.concat(frames);
    this.#writing = this.#writing.then(() => this.#write(pieces(all, this.#plan.split)));
    this.#writing.catch(() => {}); // the socket's own events tell it
  }

  async #write(parts: readonly Buffer[]): Promise<void> {
    for (const part of parts) {
      if (this.#socket.destroyed) return;
      await new Promise<void>((resolve) => this.#socket.write(part, () => resolve()));
      if (parts.length === 2) await new Promise((resolve) => setTimeout(resolve, APART_MS));
      else if (parts.length > 1) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Ends the link in the middle of a frame. */
  #cutIn(bytes: Buffer): void {
    this.#socket.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => this.#cut());
  }

  #cut(): void {
    this.cutAt = performance.now();
    if (this.#plan.cut?.reset && this.#socket instanceof Socket) this.#socket.resetAndDestroy();
    else this.#socket.end();
    this.push(null);
  }
}

function pieces(bytes: Buffer, split: LinkPlan["split"]): readonly Buffer[] {
  if (split === "bytes") return Array.from(bytes, (byte) => Buffer.of(byte));
  const at = { prefix: 4, "in-prefix": 2, halves: Math.ceil(bytes.length / 2) };
  return split === undefined ? [bytes] : [bytes.subarray(0, at[split]), bytes.subarray(at[split])];
}
