import type { DestinationStream } from "pino";
import { type LogLevel, readLevelWord } from "../logs/level-filter.ts";
import type { Logger } from "../logs/logger.ts";
import { readPinoError } from "./read-pino-error.ts";

/** How the lines of a pino logger become records. */
export interface PinoDestinationOptions {
  /** The records' logger. @default pino's own `name`, or "pino" */
  readonly name?: string | undefined;
  /** As given to pino. @default "msg" */
  readonly messageKey?: string | undefined;
  /** As given to pino. @default "err" */
  readonly errorKey?: string | undefined;
}

/** Of pino's own, said by the record itself or by every record of a task. */
const LEFT_OUT = new Set(["level", "time", "pid", "hostname", "name", "v"]);
const DEFAULT_NAME = "pino";

/**
 * Where a pino logger writes to: each of its lines becomes a record of the same level, its message
 * the event, its error the exception. What pino redacted stays so.
 */
export function createPinoDestination(
  getLogger: (name: string) => Logger,
  { name, messageKey = "msg", errorKey = "err" }: PinoDestinationOptions = {},
): DestinationStream & { flush(written: () => void): void } {
  const loggers = new Map<string, Logger>();
  const loggerOf = (wanted: unknown): Logger => {
    const chosen = name ?? (typeof wanted === "string" && wanted !== "" ? wanted : DEFAULT_NAME);
    const logger = loggers.get(chosen) ?? getLogger(chosen);
    loggers.set(chosen, logger);
    return logger;
  };
  return {
    write(text: string) {
      const line = readLine(text);
      if (line === undefined) {
        loggerOf(undefined).info(text.trimEnd()); // another format, for example pretty-printed
        return;
      }
      const { [messageKey]: event = "", [errorKey]: written, ...rest } = line;
      const error = readPinoError(written) ?? written;
      const fields = Object.entries(rest).filter(([key]) => !LEFT_OUT.has(key));
      loggerOf(line["name"])[levelOf(line["level"])](event, {
        ...(error === undefined ? {} : { [errorKey]: error }),
        ...Object.fromEntries(fields),
      });
    },
    flush(written: () => void) {
      void loggerOf(undefined).flush().then(written);
    },
  };
}

function readLine(text: string): { readonly [key: string]: unknown } | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === "object" && line !== null && !Array.isArray(line)
      ? (line as { readonly [key: string]: unknown })
      : undefined;
  } catch {
    return undefined;
  }
}

/** pino has numbers, and words when it is told to. */
function levelOf(level: unknown): LogLevel {
  if (typeof level === "string") {
    return readLevelWord(level) ?? (level === "trace" ? "debug" : "info");
  }
  if (typeof level !== "number") return "info";
  if (level >= 60) return "critical";
  if (level >= 50) return "error";
  if (level >= 40) return "warning";
  return level >= 30 ? "info" : "debug";
}
