import type { JSX } from "preact";
import type { LogEntry } from "../../../../src/api/types.ts";
import { extraFields, shownLine } from "../../../../src/page-model/log-filter.ts";
import { plainLine } from "../../../../src/page-model/plain-text.ts";

const LETTERS: Readonly<Record<string, string>> = {
  debug: "D",
  info: "I",
  warning: "W",
  error: "E",
  critical: "C",
};
const FIELDS_SHOWN = 200;

/** One line of a log: always one line high, always text. */
export function LogLine({ entry, search }: { entry: LogEntry; search: string }): JSX.Element {
  const { timestamp, level, logger } = entry;
  const fields = extraFields(entry);
  return (
    <span class={`log-line l-${level}`}>
      <span class="log-time">{timestamp === null ? "" : timeOf(timestamp)}</span>
      <span class="log-level" title={level}>
        {LETTERS[level] ?? "?"}
      </span>
      <span class="log-text">
        <Marked text={shownLine(entry)} search={search} />
      </span>
      {fields.length > 0 && (
        <span class="log-fields">
          {plainLine(fields.map(([name, value]) => `${name}=${shortJson(value)}`).join(" ")).slice(
            0,
            FIELDS_SHOWN,
          )}
        </span>
      )}
      {logger !== "" && <span class="log-logger">{plainLine(logger.slice(0, 60))}</span>}
    </span>
  );
}

function timeOf(timestamp: string): string {
  return plainLine(/T(\d\d:\d\d:\d\d\.\d{1,3})/.exec(timestamp)?.[1] ?? timestamp.slice(0, 12));
}

function shortJson(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.slice(0, FIELDS_SHOWN);
}

/** The first place that was searched for stands out. */
function Marked({ text, search }: { text: string; search: string }): JSX.Element {
  const at = search === "" ? -1 : text.toLowerCase().indexOf(search.toLowerCase());
  if (at < 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + search.length)}</mark>
      {text.slice(at + search.length)}
    </>
  );
}
