import type { LevelFilter, LogLevel } from "./level-filter.ts";
import type { LogChannel } from "./log-channel.ts";
import type { LogHub } from "./logger.ts";
import { type LogFields, recordLine } from "./record.ts";

/** Longest record by default, in bytes with its line end. */
const DEFAULT_MAX_LINE_BYTES = 1024 * 1024;

/** Filter, record building and channel of one process. */
export class ChannelLogHub implements LogHub {
  readonly #filter: LevelFilter;
  readonly #channel: LogChannel;
  /** Longest record; a longer one is shortened. */
  maxLineBytes: number = DEFAULT_MAX_LINE_BYTES;

  constructor(filter: LevelFilter, channel: LogChannel) {
    this.#filter = filter;
    this.#channel = channel;
  }

  allows(level: LogLevel, logger: string): boolean {
    return this.#filter.allows(level, logger);
  }

  emit(level: LogLevel, logger: string, event: string, fields: LogFields | undefined): void {
    const isImportant = level === "error" || level === "critical";
    if (this.#channel.drops(isImportant)) return; // before the work of writing it
    const time = new Date();
    let line: string;
    try {
      line = recordLine({ time, level, logger, event, fields }, this.maxLineBytes);
    } catch (error) {
      // Not expected; but a record must not end a task, nor vanish.
      const event = `[a record that could not be written: ${String(error)}]`;
      line = recordLine({ time, level, logger, event, fields: undefined }, this.maxLineBytes);
    }
    this.#channel.write(line, isImportant);
  }

  flush(): Promise<void> {
    return this.#channel.flush();
  }

  drained(): Promise<void> {
    return this.#channel.drained();
  }
}
