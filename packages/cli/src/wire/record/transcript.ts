import { resolve } from "node:path";
import { FrameRedactor, type FrameRedactorOptions, isSensitiveName } from "@parlance/coordinator";
import { KeyCache, LineDecoder, type WireValue } from "@parlance/framing";
import type { Direction } from "@parlance/protocol";
import { emitText, jsonText } from "../../json-text.ts";
import { describeFrame, emitBytes } from "./describe-frame.ts";
import { FrameSplitter } from "./frame-splitter.ts";
import { TranscriptFile } from "./transcript-file.ts";

/** The version of the format, in the first line. */
export const TRANSCRIPT_VERSION = 1;

/** Longer lines are cut, in bytes. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Pieces of an entry are written when they are so long together, in characters. */
const PIECE_CHARACTERS = 65_536;

/** Where lines come from. */
export type LineSource = "log" | "stdout" | "stderr";

/** @see Transcript */
export interface TranscriptOptions extends FrameRedactorOptions {
  /** With `{dag}`, `{run}`, `{task}`, `{map}`, `{try}` and `{pid}`. */
  readonly path: string;
  readonly cwd: string;
  readonly argv: readonly string[];
  readonly maxFrameBytes: number;
  readonly onError: (error: Error) => void;
}

/** The entries of one recording, made of the bytes that pass; see the README for their form. */
export class Transcript {
  readonly #options: TranscriptOptions;
  readonly #file: TranscriptFile;
  readonly #redactor: FrameRedactor;
  readonly #links: Readonly<Record<Direction, { splitter: FrameSplitter; keys: KeyCache }>>;
  readonly #lines: Readonly<Record<LineSource, LineDecoder>>;
  readonly #beganAtMs = performance.now();
  #frames = 0;
  #opening: Promise<void> | undefined;

  constructor(options: TranscriptOptions) {
    this.#options = options;
    this.#file = new TranscriptFile(options.onError);
    this.#redactor = new FrameRedactor(options);
    const link = () => ({
      splitter: new FrameSplitter(options.maxFrameBytes),
      keys: new KeyCache(),
    });
    this.#links = { "to-task": link(), "to-supervisor": link() };
    const decoder = () => new LineDecoder({ maxLineBytes: MAX_LINE_BYTES });
    this.#lines = { log: decoder(), stdout: decoder(), stderr: decoder() };
    const head = {
      transcript: TRANSCRIPT_VERSION,
      startedAt: new Date().toISOString(),
      argv: maskedArguments(options.argv),
    };
    this.#file.add(`${jsonText(head)}\n`);
    if (!/\{\w+\}/.test(options.path)) this.#open(new Map());
  }

  /** The link should wait: see {@link room}. */
  get isFull(): boolean {
    return this.#file.isFull;
  }

  /** Settles when there is room again. */
  room(): Promise<void> {
    return this.#file.room();
  }

  /** Bytes of the comm link. They must not be changed afterwards. */
  comm(direction: Direction, chunk: Uint8Array): void {
    const { splitter, keys } = this.#links[direction];
    for (const frame of splitter.push(chunk)) {
      this.#entry(`"frame":${++this.#frames},`, (emit) =>
        describeFrame(
          frame,
          {
            direction,
            redactor: this.#redactor,
            keys,
            onTaskInstance: (ti) => this.#open(ti),
          },
          emit,
        ),
      );
    }
  }

  /** Bytes of a stream of lines. They must not be changed afterwards. */
  lines(source: LineSource, chunk: Uint8Array): void {
    for (const line of this.#lines[source].push(chunk)) this.#line(source, line);
  }

  /** The end of a stream of lines: the last one may have no line feed. */
  endLines(source: LineSource): void {
    for (const line of this.#lines[source].end()) this.#line(source, line);
  }

  /** One side has ended its half of the comm link; what it left of a frame is told. */
  endComm(direction: Direction): void {
    const { length, bytes, held } = this.#links[direction].splitter.end();
    if (length !== undefined || held > 0) {
      this.#entry(`"frame":${++this.#frames},`, (emit) => {
        emit(`"direction":"${direction}","length":${length ?? "null"},`);
        emitBytes("truncated", bytes, this.#redactor, emit);
      });
    }
    const by = direction === "to-task" ? "supervisor" : "task";
    this.#entry(`"closed":"${by}"`);
  }

  /** A signal that was passed on. */
  signal(name: string): void {
    this.#entry(`"signal":"${name}"`);
  }

  /** A connection that was not the runtime's. */
  refused(channel: string, peer: string): void {
    this.#entry(`"refused":${jsonText({ channel, peer })}`);
  }

  /** The last entry; settles when the file is closed. */
  async end(exitCode: number): Promise<void> {
    this.#entry(`"exit":${exitCode}`);
    this.#open(new Map());
    await this.#opening;
    await this.#file.close();
  }

  #line(
    source: LineSource,
    { bytes, truncated }: { readonly bytes: Uint8Array; readonly truncated: boolean },
  ): void {
    this.#entry(`"${source}":`, (emit) => {
      const text = textOf(bytes);
      if (text !== undefined) emitText(this.#redactor.line(text), emit);
      else {
        const hex = Buffer.from(this.#redactor.bytes(bytes)).toString("hex");
        emit(`{"$":"bytes","hex":"${hex}"}`);
      }
      if (truncated) emit(',"truncated":true');
    });
  }

  #entry(lead: string, describe?: (emit: (piece: string) => void) => void): void {
    const ms = Math.round((performance.now() - this.#beganAtMs) * 1_000) / 1_000;
    let text = `{"ms":${ms},${lead}`;
    describe?.((piece) => {
      text += piece;
      if (text.length < PIECE_CHARACTERS) return;
      this.#file.add(text);
      text = "";
    });
    this.#file.add(`${text}}\n`);
    if (this.#file.waitsForOpen) this.#open(new Map()); // its task will have no name
  }

  #open(ti: ReadonlyMap<string, WireValue>): void {
    const { path, cwd } = this.#options;
    this.#opening ??= this.#file.open(resolve(cwd, fillIn(path, ti)));
  }
}

const NAMES: Readonly<Record<string, string>> = {
  dag: "dag_id",
  run: "run_id",
  task: "task_id",
  map: "map_index",
  try: "try_number",
};

/** What a name must not hold becomes `_`: an id may be any text. */
function fillIn(path: string, ti: ReadonlyMap<string, WireValue>): string {
  return path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    if (name === "pid") return String(process.pid);
    const field = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
    if (field === undefined) return whole;
    const value = ti.get(field);
    const text = typeof value === "string" || typeof value === "number" ? String(value) : "unknown";
    return text.replace(/[^\w.-]/g, "_").slice(0, 100);
  });
}

/** `--password=x` and `--password x` without the x. */
function maskedArguments(argv: readonly string[]): string[] {
  return argv.map((word, index) => {
    const named = /^(-{1,2}[^=]+)=/s.exec(word);
    if (named !== null && isSensitiveName(named[1] as string)) return `${named[1]}=***`;
    const before = argv[index - 1] ?? "";
    const isValue = before.startsWith("-") && !before.includes("=") && !word.startsWith("-");
    return isValue && isSensitiveName(before) ? "***" : word;
  });
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
