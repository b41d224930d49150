/** What the stock log reader makes of one line; modelled after the LOG cases, which test it. */
export type Verdict =
  | { readonly kind: "written"; readonly record: Record<string, unknown> }
  | { readonly kind: "malformed" | "dropped" }
  | { readonly kind: "killed"; readonly by: string };

const LEVELS: ReadonlyMap<unknown, string> = new Map([
  ["debug", "debug"],
  ["info", "info"],
  ["warn", "warning"],
  ["warning", "warning"],
  ["error", "error"],
  ["exception", "error"],
  ["fatal", "critical"],
  ["critical", "critical"],
]);
const TIMESTAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)?$/;
/** Fields that end in nothing: the stock processors take them away or put something else there. */
const SWALLOWED = ["exc_info", "stack_info", "positional_args", "logger_name", "exception"];

export function readAsStock(line: Uint8Array): Verdict {
  let record: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
    record = JSON.parse(text);
    if (/\\ud[89a-f]/i.test(text) && !allWellFormed(record)) return { kind: "malformed" };
  } catch {
    return { kind: "malformed" };
  }
  if (typeof record !== "object" || record === null || Array.isArray(record)) {
    return { kind: "killed", by: "AttributeError" };
  }
  const { timestamp, level, event, ...fields } = record as Record<string, unknown>;
  if (timestamp && !(typeof timestamp === "string" && TIMESTAMP.test(timestamp))) {
    return { kind: "killed", by: "ValidationError" };
  }
  if (level === undefined) return { kind: "killed", by: "KeyError" };
  if (typeof level === "object" && level !== null) return { kind: "killed", by: "TypeError" };
  const known = LEVELS.get(level);
  if (known === undefined) return { kind: "dropped" };
  if (["msg", "target", "self"].some((name) => Object.hasOwn(fields, name))) {
    return { kind: "killed", by: "TypeError" };
  }
  const logger = fields["logger_name"] ?? fields["logger"] ?? "task";
  const kept = Object.entries(fields).filter(([name]) => !SWALLOWED.includes(name));
  const detail = fields["exception"] === undefined ? {} : { error_detail: fields["exception"] };
  return {
    kind: "written",
    record: {
      ...Object.fromEntries(kept),
      ...detail,
      timestamp,
      level: known,
      event: event ?? "",
      logger,
    },
  };
}

function allWellFormed(value: unknown): boolean {
  if (typeof value === "string")
    return (value as { isWellFormed(): boolean } & string).isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, item]) => allWellFormed(key) && allWellFormed(item));
}
