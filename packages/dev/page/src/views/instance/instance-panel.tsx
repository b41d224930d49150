import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type {
  DagDetail,
  InstanceRef,
  Task,
  TaskInstanceDetail,
} from "../../../../src/api/types.ts";
import { plainLine, plainText } from "../../../../src/page-model/plain-text.ts";
import type { InstancePart } from "../../../../src/page-model/route.ts";
import { apiPath } from "../../client/request.ts";
import { Failure, Loading } from "../../parts/failure.tsx";
import { Panel } from "../../parts/panel.tsx";
import { useResource } from "../../state/use-resource.ts";
import { FramesView } from "../frames/frames-view.tsx";
import { LogView } from "../log/log-view.tsx";
import { AttemptsView } from "../waits/attempts-view.tsx";
import { XComsView } from "../xcoms/xcoms-view.tsx";
import { AttemptPicker } from "./attempt-picker.tsx";
import { InstanceFacts } from "./instance-facts.tsx";
import { InstanceTabs } from "./instance-tabs.tsx";
import { MappedList } from "./mapped-list.tsx";
import { patchInstance } from "./patch-instance.ts";
import { RetryButton } from "./retry-button.tsx";

interface PanelProps {
  readonly dag: DagDetail;
  readonly runId: string;
  readonly taskId: string;
  readonly mapIndex: number | undefined;
  readonly part: InstancePart;
}

/** One task in one run; of a mapped task first its instances to choose from. */
export function InstancePanel(props: PanelProps): JSX.Element {
  const { dag, runId, taskId, mapIndex } = props;
  const task = dag.tasks.find((one) => one.taskId === taskId);
  const run = { view: "dag", dagId: dag.dagId, tab: "runs" } as const;
  if (task?.isMapped === true && mapIndex === undefined) {
    return (
      <Panel title={plainLine(taskId)} back={run}>
        <MappedList dag={dag} runId={runId} taskId={taskId} />
      </Panel>
    );
  }
  const ref = { dagId: dag.dagId, runId, taskId, mapIndex: mapIndex ?? -1 };
  return <OneInstance key={ref.mapIndex} {...props} task={task} instanceRef={ref} />;
}

interface OneProps extends PanelProps {
  readonly task: Task | undefined;
  readonly instanceRef: InstanceRef;
}

function OneInstance({ dag, task, instanceRef, part, mapIndex }: OneProps): JSX.Element {
  const { dagId, runId, taskId } = instanceRef;
  const path = `${apiPath("dags", dagId, "runs", runId, "tasks", taskId)}?mapIndex=${instanceRef.mapIndex}`;
  const { data, error, refresh } = useResource<TaskInstanceDetail>(path, (event, shown) =>
    patchInstance(event, shown),
  );
  // The newest try, until another is chosen.
  const [chosenTry, setChosenTry] = useState<number>();
  const attempts = data?.attempts ?? [];
  const attempt = attempts.find(({ tryNumber }) => tryNumber === chosenTry) ?? attempts.at(-1);
  const here = { view: "dag", dagId, tab: "runs", runId } as const;
  return (
    <Panel
      title={
        <>
          {plainLine(taskId)}
          {mapIndex !== undefined && <span class="dim"> [{mapIndex}]</span>}
        </>
      }
      back={{ view: "dag", dagId, tab: "runs" }}
      actions={data !== undefined && <RetryButton instance={data} />}
    >
      {data === undefined && error === undefined && <Loading />}
      {data === undefined && error !== undefined && <Failure error={error} retry={refresh} />}
      {data !== undefined && (
        <>
          <InstanceFacts instance={data} runRoute={here} />
          {data.note !== null && <p class="problem">{plainText(data.note)}</p>}
          <InstanceTabs
            route={{ ...here, taskId, part, ...(mapIndex !== undefined && { mapIndex }) }}
          />
          {(part === "log" || part === "frames") && (
            <AttemptPicker attempts={attempts} chosen={attempt} onChoose={setChosenTry} />
          )}
          {part === "log" && <LogView key={attempt?.attemptId} attempt={attempt} />}
          {part === "frames" && <FramesView key={attempt?.attemptId} attempt={attempt} />}
          {part === "attempts" && <AttemptsView instance={data} task={task} />}
          {part === "xcoms" && <XComsView dag={dag} instance={data} />}
        </>
      )}
    </Panel>
  );
}
