import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { DagDetail, InstanceRef, XComEntry, XComList } from "../../../../src/api/types.ts";
import { parseExactJson } from "../../../../src/page-model/exact-json.ts";
import { plainLine } from "../../../../src/page-model/plain-text.ts";
import { apiPath } from "../../client/request.ts";
import { Failure, Loading } from "../../parts/failure.tsx";
import { JsonTree, LongText } from "../../parts/json-tree.tsx";
import { useResource } from "../../state/use-resource.ts";

/** What the task left for others. */
export function XComsView({
  dag,
  instance,
}: {
  dag: DagDetail;
  instance: InstanceRef;
}): JSX.Element {
  const { runId, taskId, mapIndex } = instance;
  const path = apiPath("dags", dag.dagId, "runs", runId, "tasks", taskId, "xcoms");
  const { data, error, refresh } = useResource<XComList>(`${path}?mapIndex=${mapIndex}`, (event) =>
    event.type === "instance" && event.instance.taskId === taskId && event.instance.runId === runId
      ? "refresh"
      : undefined,
  );
  if (data === undefined) {
    return error === undefined ? <Loading /> : <Failure error={error} retry={refresh} />;
  }
  if (data.xcoms.length === 0) {
    return (
      <p class="empty dim">
        No XCom: the task has not returned a value or set one. What a task returns stands here as{" "}
        <code>return_value</code>.
      </p>
    );
  }
  return (
    <dl class="xcoms">
      {data.xcoms.map((entry) => (
        <XComItem key={entry.key} entry={entry} />
      ))}
    </dl>
  );
}

function XComItem({ entry: { key, json, isCut } }: { entry: XComEntry }): JSX.Element {
  const node = useMemo(() => (isCut ? undefined : parseExactJson(json)), [json, isCut]);
  return (
    <div>
      <dt>{plainLine(key)}</dt>
      <dd>
        {node === undefined ? <LongText text={json} /> : <JsonTree node={node} />}
        {isCut && <p class="dim">Only the beginning is shown; the value is larger.</p>}
      </dd>
    </div>
  );
}
