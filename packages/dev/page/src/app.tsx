import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Project } from "../../src/api/types.ts";
import { plainLine } from "../../src/page-model/plain-text.ts";
import { connection, onEvent } from "./client/events.ts";
import { apiPath } from "./client/request.ts";
import { announce, note } from "./state/announce.ts";
import { route } from "./state/route.ts";
import { useResource } from "./state/use-resource.ts";
import { DagView } from "./views/dag/dag-view.tsx";
import { DagsView } from "./views/dags/dags-view.tsx";
import { EndedView } from "./views/frame/ended-view.tsx";
import { LoadErrorBanner } from "./views/frame/load-error-banner.tsx";
import { Notes } from "./views/frame/notes.tsx";
import { TopBar } from "./views/frame/top-bar.tsx";

/** The whole page. */
export function App(): JSX.Element {
  const { data: project, error } = useResource<Project>(apiPath("project"), (event, shown) => {
    if (event.type === "project") return "refresh";
    return event.type === "run" ? withRun(shown, event.run) : undefined;
  });
  useEffect(announceEvents, []);
  useCodeNotice(project);
  const at = route.value;
  useEffect(() => {
    const parts = [
      at.view === "dag" ? at.taskId : undefined,
      at.view === "dag" ? at.dagId : undefined,
    ];
    document.title = [...parts, project?.name, "Parlance"]
      .filter(Boolean)
      .map((part) => plainLine(part ?? ""))
      .join(" · ");
  }, [at, project?.name]);

  if (connection.value === "ended") return <EndedView />;
  return (
    <div class="page">
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the content
      </button>
      <TopBar project={project} route={at} />
      {project !== undefined && <LoadErrorBanner project={project} />}
      <main id="main" tabIndex={-1}>
        {at.view === "dags" ? (
          <DagsView project={project} error={error} />
        ) : (
          <DagView key={at.dagId} route={at} />
        )}
      </main>
      <Notes />
    </div>
  );
}

function withRun(project: Project, run: NonNullable<Project["dags"][number]["lastRun"]>): Project {
  const dags = project.dags.map((dag) => {
    if (dag.dagId !== run.dagId) return dag;
    const isNewer = dag.lastRun === null || dag.lastRun.createdAt <= run.createdAt;
    return isNewer ? { ...dag, lastRun: run } : dag;
  });
  return { ...project, dags };
}

function announceEvents(): () => void {
  return onEvent((event) => {
    if (event.type === "run" && event.run.endDate !== null) {
      announce(`Run ${plainLine(event.run.runId)}: ${event.run.state}`);
    }
    if (event.type === "instance" && event.instance.state !== null) {
      const { taskId, state, tryNumber } = event.instance;
      if (["failed", "success", "up_for_retry"].includes(state)) {
        announce(`${plainLine(taskId)}: ${state.replaceAll("_", " ")}, try ${tryNumber}`);
      }
    }
  });
}

function useCodeNotice(project: Project | undefined): void {
  const revision = project?.revision;
  const isReady = project?.status === "ready" && project.loadError === null;
  useEffect(() => {
    if (revision === undefined || !isReady) return;
    if (lastRevision !== undefined && lastRevision !== revision) {
      note("New code is loaded: the next run uses it.");
    }
    lastRevision = revision;
  }, [revision, isReady]);
}

let lastRevision: number | undefined;
