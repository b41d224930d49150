import type { LogRecord } from "@parlance/coordinator";

/** What is known of why an attempt failed. */
export interface AttemptFailure {
  /** Name of the exception's class. */
  readonly type: string;
  readonly message: string;
  /** In the form of Python's; null where no exception was logged. */
  readonly traceback: string | null;
}

/** More than anybody reads of one message, and as much as a row should hold. */
const MAX_MESSAGE_CHARACTERS = 16_384;
const MAX_TRACEBACK_CHARACTERS = 60_000;

/**
 * Listens to an attempt's log for the exception that it failed with. Records come masked from the
 * coordinator, so no secret that it knows gets further.
 */
export class LastFailure {
  #failure: AttemptFailure | undefined;

  /** The exception of the last record that had one. */
  get failure(): AttemptFailure | undefined {
    return this.#failure;
  }

  /** Takes a record; the last one of level error or critical with `error_detail` counts. */
  see(record: LogRecord): void {
    const { level, error_detail: detail } = record as Readonly<Record<string, unknown>>;
    if (level !== "error" && level !== "critical") return;
    if (!Array.isArray(detail)) return;
    const exceptions = detail.filter(isException);
    const [outermost] = exceptions;
    if (outermost === undefined) return;
    this.#failure = {
      type: outermost.exc_type,
      message: cut(outermost.exc_value, MAX_MESSAGE_CHARACTERS),
      traceback: cut(tracebackText(exceptions), MAX_TRACEBACK_CHARACTERS),
    };
  }
}

/** One exception of `error_detail`, the outermost first; the causes follow. */
interface LoggedException {
  readonly exc_type: string;
  readonly exc_value: string;
  readonly is_cause?: unknown;
  readonly frames?: unknown;
}

function isException(value: unknown): value is LoggedException {
  const { exc_type: type, exc_value: text } = (value ?? {}) as Partial<LoggedException>;
  return typeof type === "string" && type !== "" && typeof text === "string";
}

/** As Python prints a chain: the innermost exception first. */
function tracebackText(exceptions: readonly LoggedException[]): string {
  return exceptions
    .map((exception, at) => {
      const before = exceptions[at + 1]; // printed before it, since the last one happened first
      const link = before === undefined ? "" : before.is_cause === true ? CAUSE : CONTEXT;
      return link + oneTraceback(exception);
    })
    .reverse()
    .join("");
}

const CAUSE = "\nThe above exception was the direct cause of the following exception:\n\n";
const CONTEXT = "\nDuring handling of the above exception, another exception occurred:\n\n";

function oneTraceback({ exc_type, exc_value, frames }: LoggedException): string {
  const lines = (Array.isArray(frames) ? frames : []).map((frame: unknown) => {
    const { filename, lineno, name } = (frame ?? {}) as Readonly<Record<string, unknown>>;
    if (String(filename).startsWith("node:")) return ""; // Node's own calls say nothing of the task
    return `  File "${String(filename)}", line ${String(lineno)}, in ${String(name)}\n`;
  });
  const said = exc_value === "" ? exc_type : `${exc_type}: ${exc_value}`;
  return `Traceback (most recent call last):\n${lines.join("")}${said}\n`;
}

/** Keeps the end: the exception itself stands there. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : `…${text.slice(text.length - most)}`;
}
