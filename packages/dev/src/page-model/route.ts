/** What the page shows, as the part of its address after `#`: the server never sees it. */
export type Route =
  | { readonly view: "dags" }
  | {
      readonly view: "dag";
      readonly dagId: string;
      readonly tab: DagTab;
      readonly runId?: string;
      readonly taskId?: string;
      /** Of a mapped task. */
      readonly mapIndex?: number;
      readonly part?: InstancePart;
    };

export type DagTab = "runs" | "tasks" | "graph";
export type InstancePart = "log" | "attempts" | "xcoms" | "frames";

const TABS: readonly string[] = ["runs", "tasks", "graph"];
const PARTS: readonly string[] = ["log", "attempts", "xcoms", "frames"];

/** Reads `#/dags/D/runs/R/tasks/T?map=0&part=log`; what it does not know leads to the start. */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?");
  const [first, dagId, tab = "runs", runId, tasks, taskId] = path.split("/").slice(1).map(decode);
  if (first !== "dags" || dagId === undefined || dagId === "") return { view: "dags" };
  const known = (TABS.includes(tab) ? tab : "runs") as DagTab;
  if (known !== "runs" || runId === undefined || runId === "") {
    return { view: "dag", dagId, tab: known };
  }
  if (tasks !== "tasks" || taskId === undefined) return { view: "dag", dagId, tab: known, runId };
  const search = new URLSearchParams(query);
  const map = search.get("map");
  const part = search.get("part") ?? "log";
  return {
    view: "dag",
    dagId,
    tab: known,
    runId,
    taskId,
    ...(map !== null && /^\d{1,9}$/.test(map) && { mapIndex: Number(map) }),
    part: (PARTS.includes(part) ? part : "log") as InstancePart,
  };
}

/** The address of what is shown; the other way of {@link parseRoute}. */
export function routeHash(route: Route): string {
  if (route.view === "dags") return "#/";
  const { dagId, tab, runId, taskId, mapIndex, part } = route;
  const base = `#/dags/${encodeURIComponent(dagId)}`;
  if (runId === undefined) return tab === "runs" ? base : `${base}/${tab}`;
  const run = `${base}/runs/${encodeURIComponent(runId)}`;
  if (taskId === undefined) return run;
  const query = [
    ...(mapIndex === undefined ? [] : [`map=${mapIndex}`]),
    ...(part === undefined || part === "log" ? [] : [`part=${part}`]),
  ].join("&");
  return `${run}/tasks/${encodeURIComponent(taskId)}${query === "" ? "" : `?${query}`}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
