import type { JSX } from "preact";
import type { Attempt } from "../../../../src/api/types.ts";
import { durationText, elapsedSeconds } from "../../../../src/page-model/duration-text.ts";
import { plainLine, plainText } from "../../../../src/page-model/plain-text.ts";
import { ClockTime } from "../../parts/clock-time.tsx";
import { StateMark } from "../../parts/state-mark.tsx";

/** One try. */
export function AttemptItem({ attempt, nowMs }: { attempt: Attempt; nowMs: number }): JSX.Element {
  const { tryNumber, state, startDate, endDate, exitCode, error } = attempt;
  const seconds = elapsedSeconds(startDate, endDate, nowMs) ?? 0;
  return (
    <li class="attempt">
      <p class="facts">
        <strong>Try {tryNumber}</strong>
        <StateMark state={state} />
        <span>
          <ClockTime iso={startDate} />, {durationText(seconds)}
        </span>
        {exitCode !== null && exitCode !== 0 && <span>exit code {exitCode}</span>}
      </p>
      {error !== null && (
        <p class="problem">
          {plainText(error.message)} <code>{plainLine(error.code)}</code>
        </p>
      )}
    </li>
  );
}
