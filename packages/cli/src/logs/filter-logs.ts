import {
  createLevelFilter,
  type LevelFilter,
  readLevelWord,
} from "@parlance/sdk-node/level-filter";
import { CliError, ExitCode } from "../errors.ts";
import { type CommandIo, write } from "../io.ts";
import { readLines } from "../read-lines.ts";
import { escapeControls } from "../terminal-text.ts";

/** A line beyond this is no log record. */
const MAX_LINE_BYTES = 2 ** 30;
const LINE_FEED = Uint8Array.of(0x0a);

/**
 * Copies the NDJSON records of stdin that pass Airflow's two level settings to stdout, byte for
 * byte and in order. What is wrong with the settings is one warning each on stderr.
 *
 * @throws CliError `bad-record` (65), after all of stdin was read, when lines were left out that
 * are no records; each was named on stderr
 */
export async function filterLogs(
  io: CommandIo,
  settings: { readonly level?: string; readonly namespaceLevels?: string },
): Promise<void> {
  const filter = createLevelFilter(settings);
  for (const { message } of filter.problems) await warn(io, `warning: ${message}`);

  let lineNumber = 0;
  let badLines = 0;
  for await (const lines of readLines(io, { maxLineBytes: MAX_LINE_BYTES })) {
    const kept: Uint8Array[] = [];
    for (const { number, bytes, truncated } of lines) {
      lineNumber = number;
      const verdict = truncated ? "is too long" : judge(bytes, filter);
      if (verdict === "keep") kept.push(bytes, LINE_FEED);
      else if (verdict !== "drop") {
        badLines += 1;
        await warn(io, `line ${number} ${verdict}; it is left out`);
      }
    }
    const isTaken = kept.length === 0 || (await write(io.stdout, Buffer.concat(kept)));
    if (!isTaken) return; // the reader has gone
  }
  if (io.signal.aborted) return;
  if (badLines > 0) {
    const message = `${badLines} of ${lineNumber} lines are no log records and were left out`;
    throw new CliError("bad-record", message, ExitCode.badInput, { badLines, lines: lineNumber });
  }
}

/** What becomes of a line: `keep`, `drop`, or what is wrong with it. */
function judge(bytes: Uint8Array, filter: LevelFilter): string {
  let record: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (text.trim() === "") return "drop";
    record = JSON.parse(text);
  } catch {
    return "is no JSON";
  }
  if (typeof record !== "object" || record === null || Array.isArray(record)) {
    return "is no JSON object";
  }
  const { level: word, logger } = record as { level?: unknown; logger?: unknown };
  const level = typeof word === "string" ? readLevelWord(word) : undefined;
  if (level === undefined) return "has no level that Airflow knows";
  return filter.allows(level, typeof logger === "string" ? logger : null) ? "keep" : "drop";
}

async function warn(io: CommandIo, message: string): Promise<void> {
  await write(io.stderr, `parlance: ${escapeControls(message)}\n`);
}
