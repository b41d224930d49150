import type { WireValue } from "@parlance/framing";
import type { Direction } from "@parlance/protocol";
import { CliError, ExitCode } from "../../errors.ts";
import type { CommandIo } from "../../io.ts";
import { type ExactJson, parseExactJson } from "../../notation/exact-json.ts";
import { NotationError } from "../../notation/notation-error.ts";
import { badLine, MAX_TEXT_LINE_BYTES, readLines, textOfLine } from "../../read-lines.ts";
import { parseValue } from "../parse-value.ts";
import { TRANSCRIPT_VERSION } from "../record/transcript.ts";
import { thirdElement } from "../third-element.ts";

type TextMap = ReadonlyMap<string, WireValue>;

/** A frame as it was recorded. */
export interface RecordedFrame {
  readonly kind: "frame";
  /** Its number in the transcript, from 1 on. */
  readonly number: number;
  readonly direction: Direction;
  readonly id: WireValue;
  readonly body: TextMap | null;
  /** The carrier or the error. */
  readonly third: TextMap | null;
  /** JSON pointers to placeholders. */
  readonly redacted: ReadonlySet<string>;
  /** The payload, of a frame that could not be decoded. */
  readonly bytes?: Uint8Array;
  /** Its content was not recorded: it was too long. */
  readonly isOmitted: boolean;
}

/** What of a transcript is played: the rest, log lines and output, is for readers. */
export type TranscriptEntry =
  | RecordedFrame
  | { readonly kind: "closed"; readonly by: string }
  | { readonly kind: "signal"; readonly name: string }
  | { readonly kind: "exit"; readonly code: number };

/**
 * Reads a file that `wire record` has written. A last line that is cut off, because the recorder was
 * killed, is left out.
 *
 * @throws CliError 65 `cannot-read`, `not-json`, `bad-transcript`
 */
export async function readTranscript(file: string, io: CommandIo): Promise<TranscriptEntry[]> {
  const entries: TranscriptEntry[] = [];
  let isFirst = true;
  let torn: CliError | undefined;
  for await (const lines of readLines(io, { file, maxLineBytes: MAX_TEXT_LINE_BYTES })) {
    for (const line of lines) {
      const { number } = line;
      const text = textOfLine(line);
      if (text === undefined) continue;
      if (torn !== undefined) throw torn;
      let fields: ExactJson;
      try {
        fields = parseExactJson(text);
      } catch (cause) {
        torn = badLine("not-json", number, (cause as Error).message, cause);
        continue;
      }
      if (!(fields instanceof Map)) throw badLine("bad-transcript", number, "no object");
      if (isFirst) checkHead(fields, number);
      else {
        const entry = readEntry(fields, number);
        if (entry !== undefined) entries.push(entry);
      }
      isFirst = false;
    }
  }
  if (torn !== undefined && isFirst) throw torn;
  if (!entries.some(({ kind }) => kind === "frame")) {
    const message = `${file}: there are no frames in it; expected what wire record has written.`;
    throw new CliError("bad-transcript", message, ExitCode.badInput, { file });
  }
  return entries;
}

type Fields = ReadonlyMap<string, ExactJson>;

function checkHead(fields: Fields, line: number): void {
  const version = fields.get("transcript");
  if (version === TRANSCRIPT_VERSION) return;
  const known = `known is {"transcript":${TRANSCRIPT_VERSION},…}`;
  const what = typeof version === "number" ? `version ${version}` : "no transcript";
  throw badLine("bad-transcript", line, `${what}; ${known}`);
}

function readEntry(fields: Fields, line: number): TranscriptEntry | undefined {
  const [closed, signal, exit] = ["closed", "signal", "exit"].map((name) => fields.get(name));
  if (typeof closed === "string") return { kind: "closed", by: closed };
  if (typeof signal === "string") return { kind: "signal", name: signal };
  if (typeof exit === "number") return { kind: "exit", code: exit };
  return fields.has("frame") ? readFrame(fields, line) : undefined;
}

function readFrame(fields: Fields, line: number): RecordedFrame | undefined {
  const bad = (what: string): CliError => badLine("bad-transcript", line, what);
  const direction = fields.get("direction");
  if (direction !== "to-task" && direction !== "to-supervisor") throw bad("no direction");
  const number = fields.get("frame");
  if (typeof number !== "number") throw bad("a frame without a number");
  const base = { kind: "frame", number, direction, redacted: pointers(fields), id: 0 } as const;
  const isOmitted = fields.get("omitted") === true || fields.get("cut") === true;
  if (isOmitted && direction === "to-task") {
    throw bad(`frame ${number} was too long to be recorded, so it can't be sent`);
  }
  const hex = fields.get("hex");
  if (isOmitted || typeof hex === "string") {
    const bytes = { bytes: Buffer.from(String(hex ?? ""), "hex") };
    if (fields.get("fault") === "truncated") return undefined; // the link had ended within it
    return { ...base, body: null, third: null, isOmitted, ...(!isOmitted && bytes) };
  }
  const value = (name: string): WireValue => {
    try {
      return parseValue(fields.get(name) ?? null);
    } catch (cause) {
      if (!(cause instanceof NotationError)) throw cause;
      throw badLine("bad-transcript", line, `${name}: ${cause.message}`, cause);
    }
  };
  const map = (name: string): TextMap | null => {
    const found = value(name);
    if (found === null || isTextMap(found)) return found;
    throw bad(`${name}: no object`);
  };
  const id = value("id");
  if (typeof id !== "number" && typeof id !== "bigint") throw bad("id: no integer");
  return { ...base, id, body: map("body"), third: map(thirdElement(direction)), isOmitted };
}

function pointers(fields: Fields): ReadonlySet<string> {
  const list = fields.get("redacted");
  return new Set(Array.isArray(list) ? list.map(String) : []);
}

function isTextMap(value: WireValue): value is TextMap {
  return value instanceof Map && [...value.keys()].every((key) => typeof key === "string");
}
