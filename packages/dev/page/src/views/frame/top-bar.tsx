import type { JSX } from "preact";
import type { Project } from "../../../../src/api/types.ts";
import { plainLine } from "../../../../src/page-model/plain-text.ts";
import { type Route, routeHash } from "../../../../src/page-model/route.ts";
import { connection } from "../../client/events.ts";
import { ClockTime } from "../../parts/clock-time.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

const WORDS = { connecting: "connecting", live: "live", lost: "connection lost", ended: "ended" };

/** Where one is, how fresh it is, and the switch of colours. */
export function TopBar({
  project,
  route,
}: {
  project: Project | undefined;
  route: Route;
}): JSX.Element {
  const dagId = route.view === "dag" ? route.dagId : undefined;
  const isHome = dagId === undefined;
  return (
    <header class="top">
      <nav aria-label="Where you are">
        <a class="top-link brand" href="#/" aria-current={isHome ? "page" : undefined}>
          <img src="/icon.svg" alt="" width="18" height="18" />
          {plainLine(project?.name ?? "Parlance")}
        </a>
        {dagId !== undefined && (
          <>
            <span class="dim" aria-hidden="true">
              /
            </span>
            <a class="top-link" href={routeHash({ view: "dag", dagId, tab: "runs" })}>
              {plainLine(dagId)}
            </a>
          </>
        )}
      </nav>
      <div class="freshness">
        {project?.loadedAt != null && (
          <span class="dim wide-only">
            code of <ClockTime iso={project.loadedAt} />
          </span>
        )}
        <span class={`connection ${connection.value}`} role="status">
          {WORDS[connection.value]}
        </span>
        <ThemeSwitch />
      </div>
    </header>
  );
}
