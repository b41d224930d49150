import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { DagDetail, RunPage, Task, TaskState } from "../../../../src/api/types.ts";
import { type GraphPlace, layOutGraph } from "../../../../src/page-model/graph-layout.ts";
import { plainLine } from "../../../../src/page-model/plain-text.ts";
import { routeHash } from "../../../../src/page-model/route.ts";
import { stateLook } from "../../../../src/page-model/state-look.ts";
import { apiPath } from "../../client/request.ts";
import { ScrollBox } from "../../parts/scroll-box.tsx";
import { useResource } from "../../state/use-resource.ts";
import { patchRuns } from "../runs/patch-runs.ts";

const NODE = { width: 168, height: 40, gapX: 52, gapY: 16 };
const NAME_LENGTH = 21;

/** How tasks depend on each other, with their states in the newest run. */
export function GraphView({ dag }: { dag: DagDetail }): JSX.Element {
  const layout = useMemo(() => layOutGraph(dag.tasks), [dag.tasks]);
  const runsPath = `${apiPath("dags", dag.dagId, "runs")}?limit=1`;
  const { data } = useResource<RunPage>(runsPath, (event, page) =>
    patchRuns(event, page, dag.dagId),
  );
  const run = data?.runs[0];
  const width = layout.layers * (NODE.width + NODE.gapX) - NODE.gapX + 8;
  const height = layout.height * (NODE.height + NODE.gapY) - NODE.gapY + 8;
  return (
    <ScrollBox label="Dependencies" name="graph">
      <svg
        width={width}
        height={height}
        viewBox={`-4 -4 ${width} ${height}`}
        aria-label="Tasks from left to right"
      >
        <g class="edges">
          {layout.edges.map(([from, to]) => (
            <path key={`${from.taskId} ${to.taskId}`} d={edgePath(from, to)} />
          ))}
        </g>
        {layout.places.map((place) => {
          const task = dag.tasks.find(({ taskId }) => taskId === place.taskId);
          if (task === undefined) return null;
          const state = run?.cells[task.taskId]?.state ?? null;
          const target = { view: "dag", dagId: dag.dagId, tab: "runs" } as const;
          const href = routeHash(
            run === undefined ? target : { ...target, runId: run.runId, taskId: task.taskId },
          );
          return <GraphNode key={task.taskId} {...{ task, place, state, href }} />;
        })}
      </svg>
      <p class="dim caption">
        {run === undefined
          ? "Not run yet."
          : `States are those of the newest run, ${plainLine(run.runId)}.`}
      </p>
    </ScrollBox>
  );
}

interface NodeProps {
  readonly task: Task;
  readonly place: GraphPlace;
  readonly state: TaskState;
  readonly href: string;
}

function GraphNode({ task, place, state, href }: NodeProps): JSX.Element {
  const { taskId, groupId, kind, isMapped, upstream } = task;
  const look = stateLook(state);
  const prefix = groupId === null ? "" : `${groupId}.`;
  const name = taskId.startsWith(prefix) ? taskId.slice(prefix.length) : taskId;
  const words = [
    ...(groupId === null ? [] : [groupId]),
    ...(kind === "task" ? [] : [kind]),
    ...(isMapped ? ["mapped"] : []),
  ].join(" · ");
  const after = upstream.length === 0 ? "starts" : `after ${upstream.join(", ")}`;
  const { x, y } = corner(place);
  // What is read aloud begins with what is seen.
  const seen = [shortName(name), shortName(words)].filter((part) => part !== "").join(" ");
  const label = plainLine(`${seen}: ${taskId}, ${after}, ${look.label}`);
  return (
    <a href={href} class="node" aria-label={label}>
      <g transform={`translate(${x} ${y})`}>
        {isMapped && (
          <rect class="behind" x="4" y="4" width={NODE.width} height={NODE.height} rx="6" />
        )}
        <rect class="card" width={NODE.width} height={NODE.height} rx="6" />
        <rect class={`flag f-${look.name}`} width="22" height={NODE.height} rx="6" />
        <text class={`sign t-${look.name}`} x="11" y={NODE.height / 2 + 4} text-anchor="middle">
          {look.sign}
        </text>
        <text x="30" y={words === "" ? NODE.height / 2 + 4 : 17}>
          {shortName(name)}
        </text>
        {words !== "" && " "}
        {words !== "" && (
          <text class="small" x="30" y="31">
            {shortName(words)}
          </text>
        )}
      </g>
    </a>
  );
}

function shortName(name: string): string {
  const shown = plainLine(name);
  return shown.length > NAME_LENGTH ? `${shown.slice(0, NAME_LENGTH - 1)}…` : shown;
}

function corner({ layer, place }: GraphPlace): { x: number; y: number } {
  return { x: layer * (NODE.width + NODE.gapX), y: place * (NODE.height + NODE.gapY) };
}

function edgePath(from: GraphPlace, to: GraphPlace): string {
  const a = corner(from);
  const b = corner(to);
  const [x1, y1] = [a.x + NODE.width, a.y + NODE.height / 2];
  const [x2, y2] = [b.x, b.y + NODE.height / 2];
  const bend = Math.max(NODE.gapX / 2, (x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
