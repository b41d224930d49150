import { createLevelFilter, type LogLevel } from "../logs/level-filter.ts";
import { createLogger, type Logger, type LogHub } from "../logs/logger.ts";
import { type LogFields, recordLine } from "../logs/record.ts";

/** A record that a task wrote, as Airflow gets it. */
export interface CapturedLog {
  readonly level: LogLevel;
  readonly logger: string;
  readonly event: string;
  /** The other fields, as they are on the wire: an Error among them is `exception`. */
  readonly fields: { readonly [name: string]: unknown };
}

const MAX_LINE_BYTES = 1024 * 1024;
/** Airflow masks no shorter secrets. */
const MIN_SECRET_CHARACTERS = 5;

/** Takes the records of a task, through the same filter, renaming and shortening as a real one's. */
export class CapturedLogs implements LogHub {
  readonly #filter: ReturnType<typeof createLevelFilter>;
  readonly #secrets = new Set<string>();
  readonly records: CapturedLog[] = [];
  /** The error logged last: of a task that has failed, what it threw. */
  failure: Error | undefined;

  constructor(level: LogLevel) {
    this.#filter = createLevelFilter({ level: level.toUpperCase() });
  }

  logger(name: string): Logger {
    return createLogger(this, name);
  }

  /** Shown as `***` in what is logged from now on. */
  addSecret(text: string): void {
    if (text.length >= MIN_SECRET_CHARACTERS) this.#secrets.add(text);
  }

  allows(level: LogLevel, logger: string): boolean {
    return this.#filter.allows(level, logger);
  }

  emit(level: LogLevel, logger: string, event: string, fields: LogFields | undefined): void {
    if (level === "error" && fields?.["error"] instanceof Error) this.failure = fields["error"];
    let line = recordLine({ time: new Date(), level, logger, event, fields }, MAX_LINE_BYTES);
    for (const secret of this.#secrets) {
      line = line.replaceAll(JSON.stringify(secret).slice(1, -1), "***");
    }
    const record = JSON.parse(line) as Record<string, unknown>;
    const { timestamp: _time, level: _level, logger: _logger, event: text, ...rest } = record;
    this.records.push({ level, logger, event: String(text), fields: rest });
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }
}
