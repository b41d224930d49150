// Task logs through pino: `@parlance/sdk-node/pino`. pino itself is an optional peer.

import { type DestinationStream, type LoggerOptions, type Logger as PinoLogger, pino } from "pino";
import { createPinoDestination, type PinoDestinationOptions } from "./pino/pino-destination.ts";
import { getLogger } from "./serve.ts";

export type { PinoDestinationOptions } from "./pino/pino-destination.ts";

/**
 * A pino logger whose records go to the log of the task, or to stderr when the process runs none.
 * Its level is the one that Airflow's settings have for its name; everything may be given another way
 * in pino's own options.
 *
 * ```ts
 * const log = pinoLogger({ name: "sales" });
 * log.info({ rows: 7 }, "loaded");
 * ```
 */
export function pinoLogger(options: LoggerOptions = {}): PinoLogger {
  const { name, messageKey, errorKey } = options;
  const level = lowestLevel(name);
  const settings = { level, base: null, ...options, ...(name === undefined ? {} : { name }) };
  return pino(settings, pinoDestination({ name, messageKey, errorKey }));
}

/** Where a pino logger of your own writes to: `pino(options, pinoDestination())`. */
export function pinoDestination(options: PinoDestinationOptions = {}): DestinationStream {
  return createPinoDestination(getLogger, options);
}

const LEVELS = [
  ["debug", "debug"],
  ["info", "info"],
  ["warning", "warn"],
  ["error", "error"],
  ["critical", "fatal"],
] as const;

function lowestLevel(name: string = "pino"): string {
  const logger = getLogger(name);
  return LEVELS.find(([level]) => logger.isEnabled(level))?.[1] ?? "silent";
}
