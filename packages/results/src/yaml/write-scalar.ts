import type { TextSink } from "./text-sink.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "\0": "0",
  "\x07": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  "\x1b": "e",
  '"': '"',
  "\\": "\\",
  "\x85": "N",
  "\xa0": "_",
  "\u2028": "L",
  "\u2029": "P",
};

/** A plain text of one line; broken at single spaces where the line is over-wide. */
export function writePlain(sink: TextSink, text: string, canBreak: boolean): void {
  if (text === "") return;
  sink.beginPlain();
  for (const part of text.match(/ +|[^ ]+/g) ?? []) {
    if (part === " " && canBreak && sink.isOverWide) sink.continueScalar();
    else sink.put(part);
  }
}

/** A text in single quotes: quotes doubled, line feeds as empty lines. */
export function writeSingleQuoted(sink: TextSink, text: string, canBreak: boolean): void {
  sink.indicator("'", true);
  let at = 0;
  for (const part of text.match(/ +|\n+|[^ \n]+/g) ?? []) {
    const isInside = at > 0 && at + part.length < text.length;
    if (part.startsWith("\n")) {
      sink.lineBreak();
      for (let count = 0; count < part.length; count++) sink.lineBreak();
      sink.newLine();
    } else if (part === " " && canBreak && isInside && sink.isOverWide) {
      sink.newLine();
    } else {
      sink.put(part.replaceAll("'", "''"));
    }
    at += part.length;
  }
  sink.indicator("'", false);
}

/**
 * A text in double quotes, ASCII only. An over-wide line is broken behind an escape or before a
 * space: a backslash ends it, and another one keeps a space at the start of the next.
 */
export function writeDoubleQuoted(sink: TextSink, text: string, canBreak: boolean): void {
  sink.indicator('"', true);
  const characters = Array.from(text);
  let run = "";
  for (const [at, character] of characters.entries()) {
    const escaped = escapeOf(character);
    if (escaped !== undefined) {
      sink.put(run + escaped);
      run = "";
    }
    const isInside = at > 0 && at < characters.length - 1;
    const isBreakable = escaped !== undefined || character === " " || run === "";
    // the emitter measures one character less behind an escape
    const more = escaped === undefined ? run.length : -1;
    if (canBreak && isInside && isBreakable && sink.isTooWide(more)) {
      sink.put(`${run}\\`);
      run = "";
      sink.continueScalar();
      const next = escaped === undefined ? character : characters[at + 1];
      if (next === " ") sink.put("\\");
    }
    if (escaped === undefined) run += character;
  }
  sink.put(run);
  sink.indicator('"', false);
}

/** Lines in literal style; the text ends with a line feed. */
export function writeLiteral(sink: TextSink, text: string): void {
  sink.indicator("|", true);
  for (const line of text.split("\n").slice(0, -1)) {
    sink.lineBreak();
    sink.newLine();
    sink.put(line);
  }
  sink.lineBreak();
}

function escapeOf(character: string): string | undefined {
  if (character >= " " && character <= "~" && character !== '"' && character !== "\\") {
    return undefined;
  }
  const short = ESCAPES[character];
  if (short !== undefined) return `\\${short}`;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}
