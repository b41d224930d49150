import { errorText } from "./error-detail.ts";
import { JsonWriter } from "./json-writer.ts";
import type { LogLevel } from "./level-filter.ts";
import type { LogFields } from "./record.ts";

/**
 * Writes one record of a level; see {@link Logger}.
 *
 * @param event - the text of the record; anything else is turned into text
 * @param fields - further values, or an Error to show with its stack
 */
export type LogMethod = (event: unknown, fields?: LogFields | Error) => void;

/**
 * Structured records in the task's log.
 *
 * Records are filtered by Airflow's two level settings, buffered until the supervisor listens and
 * written in order. No call ever throws or waits. A field called like a part of the record
 * (`level`, `event`, `msg`, …) is renamed with a trailing `_`; README, "Log records", has the rules.
 *
 * ```ts
 * log.info("rows loaded", { rows: 120, took: 3.2 });
 * log.error("load failed", error);
 * ```
 */
export interface Logger {
  /** Dotted name by which levels are chosen. */
  readonly name: string;
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warning: LogMethod;
  /** The same as {@link warning}. */
  readonly warn: LogMethod;
  readonly error: LogMethod;
  readonly critical: LogMethod;
  /** Whether records of the level leave the process. */
  isEnabled(level: LogLevel): boolean;
  /** A logger called `<name>.<suffix>`, with fields that each of its records carries. */
  child(suffix: string, fields?: LogFields): Logger;
  /** The same logger with fields that each of its records carries. */
  with(fields: LogFields): Logger;
  /**
   * Resolves when all records written so far were handed to the system. Resolves too when they
   * went to stderr instead.
   */
  flush(): Promise<void>;
  /**
   * Resolves when there is room for more: await it now and then in a loop that logs a lot, and no
   * record is ever dropped, however slow the reader is. Costs next to nothing while there is room.
   */
  drained(): Promise<void>;
}

/** What a logger writes to. */
export interface LogHub {
  allows(level: LogLevel, logger: string): boolean;
  /** Writes a record that was allowed. Must not throw. */
  emit(level: LogLevel, logger: string, event: string, fields: LogFields | undefined): void;
  flush(): Promise<void>;
  drained(): Promise<void>;
}

/** Makes a logger on a hub. Its methods need no `this`. */
export function createLogger(hub: LogHub, name: string, bound?: LogFields): Logger {
  const method =
    (level: LogLevel): LogMethod =>
    (event: unknown, ...rest: readonly unknown[]) => {
      try {
        if (!hub.allows(level, name)) return;
        const fields = { ...bound, ...(event instanceof Error ? { error: event } : {}) };
        hub.emit(level, name, eventText(event), { ...fields, ...restFields(rest) });
      } catch {
        // A record never ends a task: a proxy or getter among the fields may throw anything.
        hub.emit(level, name, "[a record that cannot be read]", undefined);
      }
    };
  const warning = method("warning");
  return {
    name,
    debug: method("debug"),
    info: method("info"),
    warning,
    warn: warning,
    error: method("error"),
    critical: method("critical"),
    isEnabled: (level) => hub.allows(level, name),
    child: (suffix, fields) => createLogger(hub, `${name}.${suffix}`, { ...bound, ...fields }),
    with: (fields) => createLogger(hub, name, { ...bound, ...fields }),
    flush: () => hub.flush(),
    drained: () => hub.drained(),
  };
}

function eventText(event: unknown): string {
  if (typeof event === "string") return event;
  if (event instanceof Error) return errorText(event);
  return new JsonWriter(1 << 16).write(event) ?? "undefined";
}

function restFields(rest: readonly unknown[]): LogFields {
  const [first] = rest;
  if (rest.length === 0 || (rest.length === 1 && first === undefined)) return {};
  if (rest.length > 1 || typeof first !== "object" || first === null) return { args: rest };
  if (first instanceof Error) return { error: first };
  return fieldsOf(first);
}

/** Own properties, each read on its own: one getter that throws must not cost the others. */
function fieldsOf(source: object): LogFields {
  if (source instanceof Map) return fieldsOf(Object.fromEntries(source));
  if (Array.isArray(source)) return { args: source };
  const fields: Record<string, unknown> = {};
  for (const key of Object.keys(source)) {
    let value: unknown;
    try {
      value = (source as Record<string, unknown>)[key];
    } catch (error) {
      value = `[threw: ${errorText(error)}]`;
    }
    Object.defineProperty(fields, key, { value, enumerable: true, configurable: true });
  }
  return fields;
}
