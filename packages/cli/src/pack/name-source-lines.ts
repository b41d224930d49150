/** The class `SourceMap` of `node:module`, as far as it is used. */
type SourceMapClass = new (
  payload: never,
) => {
  findEntry(
    line: number,
    column: number,
  ): { originalSource?: string; originalLine?: number; originalColumn?: number };
};

/**
 * Lets the stacks of a packed program name lines of the TypeScript files it was made from.
 *
 * `node --enable-source-maps` does that too, but reads the map at every start: measured, 8 to 9 %
 * of the start of a process, with a map of the user's own files. This reads it when the first
 * stack is looked at, and a task that succeeds never pays.
 *
 * It runs inside the bundle's boot program, which is made from this function's own text: it stands
 * alone, without imports, comments and apostrophes.
 *
 * @param file - the bundle; its lines count from its own first line
 * @param program - with the map behind `mark` at its end
 */
export function nameSourceLines(
  file: string,
  program: string,
  mark: string,
  SourceMap: SourceMapClass,
): void {
  const text = (error: Error, frames: readonly unknown[]) =>
    [String(error), ...frames].join("\n    at ");
  const before = (Error.prepareStackTrace ?? text) as typeof text;
  let map: InstanceType<SourceMapClass> | undefined;
  const original = (line: number, column: number) => {
    if (map === undefined) {
      const json = program.slice(program.lastIndexOf(mark) + mark.length);
      map = new SourceMap(JSON.parse(Buffer.from(json, "base64").toString("utf8")) as never);
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
