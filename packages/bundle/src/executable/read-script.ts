import type { InterpreterLine, ReadBytes } from "./executable.ts";

/** Linux looks at this much of a file to find the interpreter (256 bytes since 5.1). */
export const INTERPRETER_LINE_BYTES = 256;

/** The interpreter line; null for a file that does not begin with `#!`. */
export function readInterpreterLine(read: ReadBytes): InterpreterLine | null {
  const head = read(0, 4096);
  if (head.toString("latin1", 0, 2) !== "#!") return null;
  const end = head.indexOf("\n");
  const bytes = end < 0 ? head.length : end;
  const line = head.toString("utf8", 2, bytes);
  const hasCr = line.endsWith("\r");
  const text = line.replace(/\r$/, "").replace(/^[ \t]+|[ \t]+$/g, "");
  const [, program = "", argument = ""] = /^([^ \t]*)[ \t]*(.*)$/s.exec(text) ?? [];
  return { text, program, argument: argument === "" ? null : argument, hasCr, bytes };
}
