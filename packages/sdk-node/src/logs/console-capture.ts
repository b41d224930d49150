import { format, inspect } from "node:util";
import { errorText } from "./error-detail.ts";
import type { LogLevel } from "./level-filter.ts";
import type { LogHub } from "./logger.ts";

/** Name of the logger that what `console` prints appears under. */
const CONSOLE_LOGGER = "task.console";

/** Each printing method with its severity; `trace` counts as `log`, as the Console Standard has it. */
const LEVELS = {
  debug: "debug",
  log: "info",
  info: "info",
  trace: "info",
  dir: "info",
  dirxml: "info",
  warn: "warning",
  error: "error",
  assert: "error",
} as const satisfies Record<string, LogLevel>;

/** Printed as the name, message and properties of an error: its stack is a field of the record. */
function withoutStack(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return {
    [inspect.custom]: () => {
      const properties = Object.keys(value).length === 0 ? "" : ` ${inspect({ ...value })}`;
      return errorText(value) + properties;
    },
  };
}

/**
 * Turns what is printed with `console` into records of their true level, since a supervisor shows
 * everything on stderr as an error. `table`, `count`, `timeEnd` and their like print through these
 * methods and so are captured too. An error given to `error` or `warn` is shown with its stack as the
 * record's exception. Direct writes to `process.stdout` and `process.stderr` are not.
 *
 * @returns puts the methods back
 */
export function captureConsole(target: Console, hub: LogHub): () => void {
  const original = { ...target };
  let indent = "";
  const print = (level: LogLevel, write: () => string, error?: Error): void => {
    if (!hub.allows(level, CONSOLE_LOGGER)) return;
    let text: string;
    try {
      text = write();
    } catch {
      text = "[a value that cannot be printed]"; // its getter or custom inspection threw
    }
    if (indent !== "") text = indent + text.replaceAll("\n", `\n${indent}`);
    hub.emit(level, CONSOLE_LOGGER, text, error === undefined ? undefined : { error });
  };
  for (const name of ["debug", "log", "info", "dirxml"] as const) {
    target[name] = (...args: unknown[]) => print(LEVELS[name], () => format(...args));
  }
  for (const name of ["warn", "error"] as const) {
    target[name] = (...args: unknown[]) => {
      const error = args.find((value) => value instanceof Error);
      print(LEVELS[name], () => format(...args.map(withoutStack)), error);
    };
  }
  target.trace = function trace(...args: unknown[]) {
    const holder: { stack?: string } = {};
    Error.captureStackTrace(holder, trace);
    const calls = holder.stack?.split("\n").slice(1).join("\n") ?? "";
    print(LEVELS.trace, () => `Trace: ${format(...args)}\n${calls}`);
  };
  target.dir = (value: unknown, options?: object) =>
    print(LEVELS.dir, () => inspect(value, { customInspect: false, ...options }));
  target.assert = (condition?: unknown, ...args: unknown[]) => {
    if (condition) return;
    print(LEVELS.assert, () =>
      args.length === 0 ? "Assertion failed" : `Assertion failed: ${format(...args)}`,
    );
  };
  target.group = (...args: unknown[]) => {
    if (args.length > 0) print("info", () => format(...args));
    indent += "  ";
  };
  target.groupCollapsed = target.group;
  target.groupEnd = () => {
    indent = indent.slice(2);
  };
  return () => void Object.assign(target, original);
}
