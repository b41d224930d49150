import type { JSX } from "preact";
import type { DagDetail, RunDetail, TaskInstance } from "../../../../src/api/types.ts";
import { durationText, elapsedSeconds } from "../../../../src/page-model/duration-text.ts";
import { plainLine } from "../../../../src/page-model/plain-text.ts";
import { routeHash } from "../../../../src/page-model/route.ts";
import { stateLook } from "../../../../src/page-model/state-look.ts";
import { StateMark } from "../../parts/state-mark.tsx";

interface BarsProps {
  readonly dag: DagDetail;
  readonly run: RunDetail;
  readonly nowMs: number;
}

/** The task instances of a run, each with its newest try on the run's line of time. */
export function InstanceBars({ dag, run, nowMs }: BarsProps): JSX.Element {
  const rank = new Map(dag.tasks.map(({ taskId }, index) => [taskId, index]));
  const instances = [...run.instances].sort(
    (a, b) => (rank.get(a.taskId) ?? 0) - (rank.get(b.taskId) ?? 0) || a.mapIndex - b.mapIndex,
  );
  const start = Date.parse(run.startDate ?? run.createdAt);
  const end = Math.max(run.endDate === null ? nowMs : Date.parse(run.endDate), start + 1);
  if (instances.length === 0) {
    return <p class="empty dim">No task has been looked at yet.</p>;
  }
  return (
    <ul class="bars" aria-label="Task instances">
      {instances.map((instance) => (
        <InstanceBar
          key={`${instance.taskId} ${instance.mapIndex}`}
          {...{ instance, start, end, nowMs }}
        />
      ))}
    </ul>
  );
}

interface BarProps {
  readonly instance: TaskInstance;
  readonly start: number;
  readonly end: number;
  readonly nowMs: number;
}

function InstanceBar({ instance, start, end, nowMs }: BarProps): JSX.Element {
  const { dagId, runId, taskId, mapIndex, state, tryNumber, startDate, endDate } = instance;
  const seconds = elapsedSeconds(startDate, endDate, nowMs);
  const from = startDate === null ? 0 : share(Date.parse(startDate), start, end);
  const to = endDate === null ? share(nowMs, start, end) : share(Date.parse(endDate), start, end);
  const href = routeHash({
    view: "dag",
    dagId,
    tab: "runs",
    runId,
    taskId,
    ...(mapIndex >= 0 && { mapIndex }),
  });
  const label = instance.renderedMapIndex ?? (mapIndex >= 0 ? String(mapIndex) : null);
  return (
    <li>
      <a class="bar-name" href={href}>
        {plainLine(taskId)}
        {label !== null && <span class="dim"> [{plainLine(label)}]</span>}
      </a>
      <StateMark state={state} />
      <span class="dim">{tryNumber > 1 ? `try ${tryNumber}` : ""}</span>
      <span class="bar-line" aria-hidden="true">
        {startDate !== null && (
          <span
            class={`bar f-${stateLook(state).name}`}
            style={{ left: `${from * 100}%`, width: `${Math.max(0.4, (to - from) * 100)}%` }}
          />
        )}
      </span>
      <span class="number dim">{seconds === null ? "" : durationText(seconds)}</span>
    </li>
  );
}

function share(time: number, start: number, end: number): number {
  return Math.min(1, Math.max(0, (time - start) / (end - start)));
}
