import type { JSX } from "preact";
import type { DagSummary, Project } from "../../../../src/api/types.ts";
import { durationText, elapsedSeconds } from "../../../../src/page-model/duration-text.ts";
import { plainLine } from "../../../../src/page-model/plain-text.ts";
import { routeHash } from "../../../../src/page-model/route.ts";
import { ClockTime } from "../../parts/clock-time.tsx";
import { Failure, Loading } from "../../parts/failure.tsx";
import { StateMark } from "../../parts/state-mark.tsx";
import { useNow } from "../../state/use-now.ts";
import { QuickRun } from "../start/quick-run.tsx";
import { NoDags } from "./no-dags.tsx";

/** The start: all Dags of the project. */
export function DagsView({
  project,
  error,
}: {
  project: Project | undefined;
  error: Error | undefined;
}): JSX.Element {
  if (project === undefined)
    return error === undefined ? <Loading /> : <Failure title="Dags" error={error} />;
  if (project.dags.length === 0) return <NoDags project={project} />;
  return (
    <section aria-labelledby="dags-title">
      <h1 id="dags-title">Dags</h1>
      <ul class="dag-list">
        {project.dags.map((dag) => (
          <DagItem key={dag.dagId} dag={dag} />
        ))}
      </ul>
    </section>
  );
}

function DagItem({ dag }: { dag: DagSummary }): JSX.Element {
  const { dagId, displayName, kind, description, schedule, taskCount, tags } = dag;
  return (
    <li class="dag-item">
      <div class="dag-what">
        <h2>
          <a href={routeHash({ view: "dag", dagId, tab: "runs" })}>{plainLine(displayName)}</a>
        </h2>
        <p class="dim">
          {taskCount} {taskCount === 1 ? "task" : "tasks"}
          {kind === "plain" && `, without a Dag of ${taskCount === 1 ? "its" : "their"} own`}
          {schedule !== null && (
            <>
              {" · "}
              <code>{plainLine(schedule)}</code>
            </>
          )}
          {tags.map((tag) => (
            <span key={tag} class="tag">
              {plainLine(tag)}
            </span>
          ))}
        </p>
        {description !== null && description !== "" && <p>{plainLine(description)}</p>}
      </div>
      <LastRun dag={dag} />
      <QuickRun dagId={dagId} />
    </li>
  );
}

function LastRun({ dag: { lastRun } }: { dag: DagSummary }): JSX.Element {
  const isMoving = lastRun !== null && lastRun.endDate === null;
  const now = useNow(isMoving);
  if (lastRun === null) return <p class="dim last-run">never run</p>;
  const seconds = elapsedSeconds(lastRun.startDate, lastRun.endDate, now);
  const { dagId, runId } = lastRun;
  return (
    <p class="last-run">
      <a href={routeHash({ view: "dag", dagId, tab: "runs", runId })}>
        <StateMark state={lastRun.state} />
      </a>
      <span class="dim">
        <ClockTime iso={lastRun.createdAt} />
        {seconds !== null && `, ${durationText(seconds)}`}
      </span>
    </p>
  );
}
