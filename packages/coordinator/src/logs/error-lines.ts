import { sep } from "node:path";
import { cutText } from "../text/cut-text.ts";
import { escapeControls } from "../text/escape-controls.ts";

/** The shape in which a record carries an exception (Airflow's own); frames are oldest first. */
interface ExceptionInfo {
  readonly exc_type?: unknown;
  readonly exc_value?: unknown;
  readonly frames?: unknown;
}

const MAX_FRAMES = 8;
/** Calls inside the SDK say nothing about the task. */
const SDK_FILE = /[\\/](?:@parlance|packages)[\\/]sdk-node[\\/]/;

/**
 * A record's `error_detail` as the lines of a JavaScript stack trace: newest frame first, Node's
 * own and the SDK's left out. Empty where the field has another shape.
 *
 * @param cwd - paths below it are shown from there; absent: all whole
 */
export function errorLines(detail: unknown, cwd?: string | undefined): readonly string[] {
  return exceptions(detail).flatMap((info, index) => {
    const lead = index === 0 ? "" : "caused by ";
    const [head = "", ...more] = escapeControls(headOf(info), { keepLineEnds: true }).split("\n");
    return [lead + head, ...more.map((line) => `  ${line}`), ...frameLines(info.frames, cwd)];
  });
}

/** `Type: message` of the outermost error, as the SDK writes it into the field of the error. */
export function errorHead(detail: unknown): string | undefined {
  const [first] = exceptions(detail);
  return first === undefined ? undefined : headOf(first);
}

function exceptions(detail: unknown): readonly ExceptionInfo[] {
  if (!Array.isArray(detail)) return [];
  return detail.filter((info: unknown) => typeof info === "object" && info !== null);
}

function headOf({ exc_type, exc_value }: ExceptionInfo): string {
  return exc_value === "" ? textOf(exc_type) : `${textOf(exc_type)}: ${textOf(exc_value)}`;
}

/** A child may write any JSON there, also objects that can't be made a text in the usual way. */
function textOf(value: unknown): string {
  return cutText(typeof value === "string" ? value : (JSON.stringify(value) ?? "unknown"));
}

function frameLines(frames: unknown, cwd: string | undefined): readonly string[] {
  if (!Array.isArray(frames)) return [];
  const root = cwd === undefined || cwd.endsWith(sep) ? cwd : cwd + sep;
  return frames
    .filter((frame) => typeof frame?.filename === "string")
    .filter(({ filename }) => !filename.startsWith("node:") && !SDK_FILE.test(filename))
    .reverse()
    .slice(0, MAX_FRAMES)
    .map(({ name, filename, lineno }) => {
      const path =
        root !== undefined && filename.startsWith(root) ? filename.slice(root.length) : filename;
      const place = `${path}:${textOf(lineno)}`;
      return escapeControls(
        `  at ${name === "<anonymous>" ? place : `${textOf(name)} (${place})`}`,
      );
    });
}
