import type { StartedTask } from "@parlance/coordinator";
import { encodeResponseFrame, type FrameId, type WireValue } from "@parlance/framing";
import { type CompareOptions, compareValues } from "./compare-values.ts";
import { FrameQueue, type NextFrame } from "./frame-queue.ts";
import type { RecordedFrame, TranscriptEntry } from "./read-transcript.ts";

/** How long a process may take to end once all is sent, in milliseconds, at least. */
const MIN_EXIT_MS = 5_000;

/** @see replay */
export interface ReplayOptions {
  readonly strict: boolean;
  readonly timeoutMs: number;
}

/** Where a runtime did something else than in the transcript. */
export interface ReplayDifference {
  /** The number of the transcript's frame; null at the end. */
  readonly frame: number | null;
  /** The message. */
  readonly type: string | null;
  /** A JSON pointer: `/body/…`, `/carrier/…`, `/id`, `/exit`; "" for the frame as a whole. */
  readonly path: string;
  /** Undefined for what is not there. */
  readonly expected: WireValue | undefined;
  readonly got: WireValue | undefined;
  /** What happened instead of a frame that could be compared. */
  readonly reason?: string;
}

/** What came of a {@link replay}. */
export interface ReplayResult {
  /** Frames of the runtime that were as expected. */
  readonly frames: number;
  readonly exitCode: number | undefined;
  readonly difference: ReplayDifference | undefined;
}

/** Plays a transcript's coordinator to a runtime that has connected, up to the first difference. */
export async function replay(
  entries: readonly TranscriptEntry[],
  task: StartedTask,
  options: ReplayOptions,
): Promise<ReplayResult> {
  return await new Replay(task, options).run(entries);
}

class Replay {
  readonly #task: StartedTask;
  readonly #options: ReplayOptions;
  readonly #queue: FrameQueue;
  /** The id that a request has now, by the one it had then: the latest where it is repeated. */
  readonly #ids = new Map<FrameId, FrameId>();
  #frames = 0;

  constructor(task: StartedTask, options: ReplayOptions) {
    this.#task = task;
    this.#options = options;
    this.#queue = new FrameQueue(task.comm);
  }

  async run(entries: readonly TranscriptEntry[]): Promise<ReplayResult> {
    let exit: number | undefined;
    for (const entry of entries) {
      if (entry.kind === "exit") exit = entry.code;
      else if (entry.kind === "closed") {
        if (entry.by === "supervisor") this.#task.comm.end();
      } else if (entry.kind === "signal") {
        await this.#task.kill(entry.name as NodeJS.Signals);
      } else if (entry.direction === "to-task") await this.#send(entry);
      else {
        const difference = await this.#expect(entry);
        if (difference !== undefined) return this.#result(difference);
      }
    }
    return exit === undefined ? this.#result(undefined) : await this.#end(exit);
  }

  async #send(frame: RecordedFrame): Promise<void> {
    const id = this.#ids.get(frame.id as FrameId) ?? (frame.id as FrameId);
    const bytes =
      frame.bytes === undefined
        ? encodeResponseFrame({ id, body: frame.body, error: frame.third })
        : withPrefix(frame.bytes);
    const { comm } = this.#task;
    if (comm.destroyed || comm.write(bytes)) return;
    await new Promise<void>((resolve) => {
      comm.once("drain", resolve);
      comm.once("close", resolve);
    });
  }

  async #expect(frame: RecordedFrame): Promise<ReplayDifference | undefined> {
    const next = await this.#queue.next(this.#options.timeoutMs);
    const difference = this.#compare(frame, next);
    if (difference === undefined) this.#frames += 1;
    return difference;
  }

  #compare(recorded: RecordedFrame, next: NextFrame): ReplayDifference | undefined {
    const at = { frame: recorded.number, type: typeOf(recorded.body) };
    const whole = { ...at, path: "", expected: recorded.body, got: undefined };
    if (next === "ended")
      return { ...whole, reason: `the runtime has ended its link${this.#exitText()}` };
    if (next === "nothing") {
      return { ...whole, reason: `nothing came within ${this.#options.timeoutMs / 1000} s` };
    }
    const { bytes } = recorded;
    if (bytes !== undefined) {
      const isSame = next.payload !== undefined && Buffer.from(bytes).equals(next.payload);
      return isSame ? undefined : { ...whole, expected: bytes, got: next.payload };
    }
    if ("error" in next) return { ...whole, reason: `it sent no frame: ${next.error.message}` };
    const { frame } = next;
    this.#ids.set(recorded.id as FrameId, frame.id);
    if (recorded.isOmitted) return undefined;
    const { strict } = this.#options;
    const options: CompareOptions = { strict, redacted: recorded.redacted };
    const difference =
      compareValues(recorded.body, frame.body, "/body", options) ??
      (strict
        ? (compareValues(recorded.id, frame.id, "/id", options) ??
          compareValues(recorded.third, frame.carrier, "/carrier", options))
        : undefined);
    return difference && { ...at, ...difference };
  }

  async #end(exit: number): Promise<ReplayResult> {
    const next = await this.#queue.next(Math.max(this.#options.timeoutMs, MIN_EXIT_MS));
    const at = { frame: null, type: null, path: "", expected: undefined };
    if (typeof next !== "string") {
      const got = "frame" in next ? next.frame.body : next.payload;
      return this.#result({ ...at, got, reason: "it sent a frame more" });
    }
    const exitCode = await this.#exitCode(next === "nothing" ? 0 : MIN_EXIT_MS);
    if (exitCode === exit) return this.#result(undefined);
    const reason = exitCode === undefined ? "the process does not end" : undefined;
    return this.#result({
      ...at,
      path: "/exit",
      expected: exit,
      got: exitCode,
      ...(reason !== undefined && { reason }),
    });
  }

  async #exitCode(limitMs: number): Promise<number | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, limitMs, undefined);
    });
    const ended = await Promise.race([this.#task.exited, limit]);
    clearTimeout(timer);
    return ended?.exitCode;
  }

  #exitText(): string {
    const { exitStatus } = this.#task;
    return exitStatus === undefined ? "" : ` (exit code ${exitStatus.exitCode})`;
  }

  #result(difference: ReplayDifference | undefined): ReplayResult {
    return { frames: this.#frames, exitCode: this.#task.exitStatus?.exitCode, difference };
  }
}

function typeOf(body: RecordedFrame["body"]): string | null {
  const type = body?.get("type");
  return typeof type === "string" ? type : null;
}

function withPrefix(payload: Uint8Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(4 + payload.byteLength);
  bytes.writeUInt32BE(payload.byteLength);
  bytes.set(payload, 4);
  return bytes;
}
