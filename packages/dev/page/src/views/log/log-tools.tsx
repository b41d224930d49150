import type { JSX } from "preact";
import { LOG_LEVELS, type LogFilter } from "../../../../src/page-model/log-filter.ts";

interface ToolsProps {
  readonly filter: LogFilter;
  readonly onFilter: (filter: LogFilter) => void;
  readonly follow: boolean;
  readonly onFollow: (follow: boolean) => void;
  readonly isFinished: boolean;
  readonly counts: { readonly shown: number; readonly all: number };
}

/** Levels, search, follow. */
export function LogTools(props: ToolsProps): JSX.Element {
  const { filter, onFilter, follow, onFollow, isFinished, counts } = props;
  const toggle = (level: string): void => {
    const levels = new Set(filter.levels);
    if (!levels.delete(level)) levels.add(level);
    onFilter({ ...filter, levels });
  };
  const lines = counts.all === 1 ? "line" : "lines";
  const count =
    counts.shown === counts.all
      ? `${counts.all} ${lines}`
      : `${counts.shown} of ${counts.all} ${lines}`;
  return (
    <div class="log-tools" role="toolbar" aria-label="What of the log is shown">
      <input
        type="search"
        class="search"
        aria-label="Search the log"
        placeholder="Search"
        value={filter.search}
        onInput={({ currentTarget }) => onFilter({ ...filter, search: currentTarget.value })}
      />
      <span class="levels">
        {LOG_LEVELS.map((level) => (
          <button
            key={level}
            type="button"
            class={`level l-${level}`}
            aria-pressed={filter.levels.has(level)}
            onClick={() => toggle(level)}
          >
            {level}
          </button>
        ))}
      </span>
      {!isFinished && (
        <button type="button" aria-pressed={follow} onClick={() => onFollow(!follow)}>
          {follow ? "Following" : "Follow"}
        </button>
      )}
      <span class="dim count" role="status">
        {count}
        {isFinished ? "" : follow ? ", live" : ", paused"}
      </span>
    </div>
  );
}
