import { LineDecoder } from "@parlance/framing";
import {
  createLevelFilter,
  type LevelFilter,
  readLevelWord,
} from "@parlance/sdk-node/level-filter";
import { CliError, ExitCode } from "../errors.ts";
import { type CommandIo, write } from "../io.ts";
import { readInput } from "../read-input.ts";
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

  const decoder = new LineDecoder({ maxLineBytes: MAX_LINE_BYTES });
  let lineNumber = 0;
  let badLines = 0;
  const pass = async (lines: readonly { bytes: Uint8Array; truncated: boolean }[]) => {
    const kept: Uint8Array[] = [];
    for (const { bytes, truncated } of lines) {
      lineNumber += 1;
      const verdict = truncated ? "is too long" : judge(bytes, filter);
      if (verdict === "keep") kept.push(bytes, LINE_FEED);
      else if (verdict !== "drop") {
        badLines += 1;
        await warn(io, `line ${lineNumber} ${verdict}; it is left out`);
      }
    }
    return kept.length === 0 || (await write(io.stdout, Buffer.concat(kept)));
  };
  for await (const chunk of readInput(io, undefined)) {
    if (!(await pass(decoder.push(chunk)))) return; // the reader has gone
  }
  if (io.signal.aborted) return; // the last line may be half a line
  await pass(decoder.end());
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
