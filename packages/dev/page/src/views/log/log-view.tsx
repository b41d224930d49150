import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { Attempt, LogEntry, LogPage } from "../../../../src/api/types.ts";
import { filterLog, LOG_LEVELS, type LogFilter } from "../../../../src/page-model/log-filter.ts";
import { apiPath } from "../../client/request.ts";
import { Failure } from "../../parts/failure.tsx";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { usePages } from "../../state/use-pages.ts";
import { LogDetail } from "./log-detail.tsx";
import { LogLine } from "./log-line.tsx";
import { LogTools } from "./log-tools.tsx";

const ROW_HEIGHT = 21;

/** The log of one try as it comes: filtered, searched, followed or left alone. */
export function LogView({ attempt }: { attempt: Attempt | undefined }): JSX.Element {
  const attemptId = attempt?.attemptId;
  const path = attemptId === undefined ? undefined : apiPath("attempts", attemptId, "log");
  const { entries, version, isFinished, error } = usePages<LogEntry, LogPage>(
    path,
    ({ records }) => records,
    (event) => {
      if (event.type === "log") return event.attemptId === attemptId;
      return event.type === "instance";
    },
  );
  const [filter, setFilter] = useState<LogFilter>({ levels: new Set(LOG_LEVELS), search: "" });
  const [follow, setFollow] = useState(true);
  const [chosen, setChosen] = useState(-1);
  const shown = useFiltered(entries, version, filter);
  const active = chosen < 0 ? -1 : shown.indexOf(chosen);
  const entry = active < 0 ? undefined : entries[chosen];

  if (attempt === undefined) {
    return (
      <p class="empty dim">Nothing is logged before the first try: its log will appear here.</p>
    );
  }
  return (
    <div class="log">
      <LogTools
        filter={filter}
        onFilter={setFilter}
        follow={follow}
        onFollow={setFollow}
        isFinished={isFinished}
        counts={{ shown: shown.length, all: entries.length }}
      />
      {error !== undefined && <Failure error={error} />}
      {entries.length === 0 ? (
        <p class="empty dim">
          {isFinished ? "This try has logged nothing." : "Nothing has been logged yet."}
        </p>
      ) : (
        <VirtualList
          id="log-lines"
          label="Lines of the log"
          count={shown.length}
          rowHeight={ROW_HEIGHT}
          active={active}
          onActive={(index) => setChosen(shown[index] ?? -1)}
          follow={follow && active < 0}
          onFollow={setFollow}
          row={(index) => {
            const line = entries[shown[index] ?? -1];
            return line === undefined ? null : <LogLine entry={line} search={filter.search} />;
          }}
        />
      )}
      {entry !== undefined && <LogDetail entry={entry} onClose={() => setChosen(-1)} />}
    </div>
  );
}

/** Only what is new is looked at when lines are added. */
function useFiltered(
  entries: readonly LogEntry[],
  version: number,
  filter: LogFilter,
): readonly number[] {
  const last = useRef<null | {
    filter: LogFilter;
    entries: readonly LogEntry[];
    seen: number;
    found: number[];
  }>(null);
  return useMemo(() => {
    const before = last.current;
    const canAdd = before !== null && before.filter === filter && before.entries === entries;
    const found = canAdd ? before.found : [];
    const added = filterLog(entries, filter, canAdd ? before.seen : 0);
    for (const index of added) found.push(index);
    last.current = { filter, entries, seen: entries.length, found };
    return found;
  }, [entries, version, filter]);
}
