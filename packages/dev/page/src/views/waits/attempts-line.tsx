import type { JSX } from "preact";
import type { Attempt, Wait } from "../../../../src/api/types.ts";
import { stateLook } from "../../../../src/page-model/state-look.ts";
import { clockText } from "../../parts/clock-time.tsx";

interface LineProps {
  readonly attempts: readonly Attempt[];
  readonly waits: readonly Wait[];
  readonly nowMs: number;
}

/** Tries and waits as they were in time, from the first start to the end or the next try. */
export function AttemptsLine({ attempts, waits, nowMs }: LineProps): JSX.Element | null {
  const first = attempts[0];
  if (first === undefined) return null;
  const start = Date.parse(first.startDate);
  const ends = [
    ...attempts.map(({ endDate }) => (endDate === null ? nowMs : Date.parse(endDate))),
    ...waits.flatMap(({ dueAt, startedAt }) =>
      dueAt !== null && startedAt === null ? Date.parse(dueAt) : [],
    ),
  ];
  const end = Math.max(...ends, start + 1);
  const percent = (time: number): string => `${((time - start) / (end - start)) * 100}%`;
  const width = (from: number, to: number): string =>
    `${Math.max(0, ((to - from) / (end - start)) * 100)}%`;
  return (
    <div class="time-line" aria-hidden="true">
      <div class="time-track">
        {waits.map(({ beganAt, dueAt, startedAt, afterTry }) => {
          if (beganAt === null || dueAt === null) return null;
          const from = Date.parse(beganAt);
          const to = Date.parse(startedAt ?? dueAt);
          return (
            <span
              key={`${afterTry} ${beganAt}`}
              class="time-wait"
              style={{ left: percent(from), width: width(from, to) }}
            />
          );
        })}
        {attempts.map(({ attemptId, tryNumber, startDate, endDate, state }) => {
          const { name } = stateLook(state);
          const from = Date.parse(startDate);
          const to = endDate === null ? nowMs : Date.parse(endDate);
          return (
            <span
              key={attemptId}
              class={`time-try f-${name}`}
              style={{ left: percent(from), width: width(from, to) }}
              title={`try ${tryNumber}`}
            />
          );
        })}
        {nowMs < end && nowMs > start && <span class="time-now" style={{ left: percent(nowMs) }} />}
      </div>
      <div class="time-ends dim">
        <span>{clockText(first.startDate)}</span>
        <span>{clockText(new Date(end).toISOString())}</span>
      </div>
    </div>
  );
}
