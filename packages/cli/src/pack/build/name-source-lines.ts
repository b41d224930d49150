import type { SourceMap } from "./source-map.ts";

/** The class `SourceMap` of `node:module`, as far as it is used. */
type SourceMapClass = new (
  payload: never,
) => {
  findEntry(
    line: number,
    column: number,
  ): { originalSource?: string; originalLine?: number; originalColumn?: number };
};

/** The function at a program's end that gives its source map: JSON in base64. */
const MAP_FUNCTION = "__parlanceSourceMap";

/**
 * A program whose stacks name lines of the files it was made from, by {@link nameSourceLines}. The
 * map is the text of a function at the end that nobody calls before the first stack is looked at:
 * until then Node only skips it. The program has one line more at its start.
 *
 * @param map - of the own files, counting from the first line of the file that stacks name
 * @param file - a JavaScript expression: the file, as stacks name it
 * @param sourceMapClass - a JavaScript expression: the class `SourceMap` of `node:module`
 */
export function withSourceLines(
  program: string,
  map: SourceMap,
  file: string,
  sourceMapClass: string,
): string {
  const json = Buffer.from(JSON.stringify(map)).toString("base64");
  return (
    `(${oneLine(nameSourceLines)})(${file},${MAP_FUNCTION},${sourceMapClass});\n` +
    `${program}function ${MAP_FUNCTION}(){return "${json}"}\n`
  );
}

/** How many lines `withSourceLines` puts before a program. */
export const LINES_BEFORE = 1;

/** A function's own text, as one line. */
function oneLine(code: (...args: never) => void): string {
  return code.toString().replaceAll(/\s*\n\s*/g, " ");
}

/**
 * Lets the stacks of a packed program name lines of the TypeScript files it was made from.
 *
 * `node --enable-source-maps` does that too, but reads the map at every start: measured, 8 to 9 %
 * of the start of a process, with a map of the user's own files. This reads it when the first
 * stack is looked at, and a task that succeeds never pays.
 *
 * It is put into the program as its own text: it stands alone, without imports and comments.
 *
 * @param file - the bundle, as stacks name it; its lines count from its own first line
 * @param readMap - gives JSON in base64
 */
function nameSourceLines(file: string, readMap: () => string, SourceMap: SourceMapClass): void {
  const text = (error: Error, frames: readonly unknown[]) =>
    [String(error), ...frames].join("\n    at ");
  const before = (Error.prepareStackTrace ?? text) as typeof text;
  let map: InstanceType<SourceMapClass> | undefined;
  const original = (line: number, column: number) => {
    if (map === undefined) {
      const json = Buffer.from(readMap(), "base64").toString("utf8");
      map = new SourceMap(JSON.parse(json) as never);
    }
    const { originalSource, originalLine = 0, originalColumn = 0 } = map.findEntry(line, column);
    return originalSource && `${originalSource}:${originalLine + 1}:${originalColumn + 1}`;
  };
  Error.prepareStackTrace = (error, frames) => {
    const named = frames.map((frame) => {
      if (frame.getFileName() !== file) return frame;
      const [line, column] = [frame.getLineNumber() ?? 0, frame.getColumnNumber() ?? 0];
      const place = original(line - 1, column - 1);
      const text = String(frame);
      return place ? text.replace(`${file}:${line}:${column}`, () => place) : text;
    });
    return before(error, named);
  };
}
