import type { JSX } from "preact";
import type { TaskInstance } from "../../../../src/api/types.ts";
import { durationText, elapsedSeconds } from "../../../../src/page-model/duration-text.ts";
import { plainLine } from "../../../../src/page-model/plain-text.ts";
import { type Route, routeHash } from "../../../../src/page-model/route.ts";
import { ClockTime, clockText } from "../../parts/clock-time.tsx";
import { StateMark } from "../../parts/state-mark.tsx";
import { useNow } from "../../state/use-now.ts";

/** State, try, times; of a wait how long it still is. */
export function InstanceFacts({
  instance,
  runRoute,
}: {
  instance: TaskInstance;
  runRoute: Extract<Route, { view: "dag" }>;
}): JSX.Element {
  const { state, tryNumber, maxTries, startDate, endDate, dueAt } = instance;
  const isWaiting = dueAt !== null && (state === "up_for_retry" || state === "up_for_reschedule");
  const now = useNow(isWaiting || state === "running");
  const isTimed = state !== "queued" && state !== "scheduled" && state !== null;
  const seconds = isTimed ? elapsedSeconds(startDate, endDate, now) : null;
  const left = dueAt === null ? 0 : (Date.parse(dueAt) - now) / 1000;
  return (
    <p class="facts">
      <StateMark state={state} />
      <span>
        {tryNumber === 0 ? "not tried yet" : `try ${tryNumber} of ${Math.max(maxTries, tryNumber)}`}
      </span>
      {startDate !== null && (
        <span>
          <ClockTime iso={startDate} />
          {seconds !== null && `, ${durationText(seconds)}`}
        </span>
      )}
      {isWaiting && (
        <span class="due">
          {left > 0 ? `next try in ${durationText(Math.ceil(left))}` : "next try is due"}
          <span class="dim"> at {clockText(dueAt)}</span>
        </span>
      )}
      <span class="of-run">
        run <a href={routeHash(runRoute)}>{plainLine(runRoute.runId ?? "")}</a>
      </span>
    </p>
  );
}
