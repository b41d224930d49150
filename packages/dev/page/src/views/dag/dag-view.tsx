import type { JSX } from "preact";
import type { DagDetail } from "../../../../src/api/types.ts";
import { plainLine, plainText } from "../../../../src/page-model/plain-text.ts";
import { type DagTab, type Route, routeHash } from "../../../../src/page-model/route.ts";
import { apiPath } from "../../client/request.ts";
import { Failure, Loading } from "../../parts/failure.tsx";
import { useResource } from "../../state/use-resource.ts";
import { GraphView } from "../graph/graph-view.tsx";
import { RunsView } from "../runs/runs-view.tsx";
import { QuickRun } from "../start/quick-run.tsx";
import { TasksView } from "../tasks/tasks-view.tsx";

const TABS: readonly (readonly [DagTab, string])[] = [
  ["runs", "Runs"],
  ["tasks", "Tasks"],
  ["graph", "Graph"],
];

type DagRoute = Extract<Route, { view: "dag" }>;

/** One Dag: its runs, its tasks, how they depend on each other. */
export function DagView({ route }: { route: DagRoute }): JSX.Element {
  const { dagId } = route;
  const { data, error, refresh } = useResource<DagDetail>(apiPath("dags", dagId), ({ type }) =>
    type === "project" ? "refresh" : undefined,
  );
  if (data === undefined) {
    return error === undefined ? (
      <Loading />
    ) : (
      <Failure title={dagId} error={error} retry={refresh} />
    );
  }
  return (
    <>
      <DagHead dag={data} route={route} />
      <DagTabView dag={data} route={route} />
    </>
  );
}

function DagHead({ dag, route }: { dag: DagDetail; route: DagRoute }): JSX.Element {
  const { dagId, displayName, description, schedule, tags, docMd } = dag;
  const isOpen = route.runId !== undefined;
  return (
    <div class={isOpen ? "dag-head is-open" : "dag-head"}>
      <div class="dag-title">
        <h1>{plainLine(displayName)}</h1>
        <p class="dim">
          {schedule === null ? "no schedule" : <code>{plainLine(schedule)}</code>}
          {tags.map((tag) => (
            <span key={tag} class="tag">
              {plainLine(tag)}
            </span>
          ))}
          {description !== null && <span class="description">{plainLine(description)}</span>}
        </p>
        {docMd !== null && (
          <details>
            <summary>Doc</summary>
            <pre class="doc">{plainText(docMd)}</pre>
          </details>
        )}
      </div>
      <nav class="tabs" aria-label="Views of this Dag">
        {TABS.map(([tab, label]) => (
          <a
            key={tab}
            href={routeHash({ view: "dag", dagId, tab })}
            aria-current={route.tab === tab ? "page" : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <QuickRun dagId={dagId} dag={dag} />
    </div>
  );
}

function DagTabView({ dag, route }: { dag: DagDetail; route: DagRoute }): JSX.Element {
  if (dag.tasks.length === 0) {
    return (
      <p class="empty">This Dag has no task. Add one in the program; the page follows by itself.</p>
    );
  }
  if (route.tab === "tasks") return <TasksView dag={dag} />;
  if (route.tab === "graph") return <GraphView dag={dag} />;
  return <RunsView dag={dag} route={route} />;
}
