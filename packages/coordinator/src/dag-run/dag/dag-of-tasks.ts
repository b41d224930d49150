import { readSerializedDag } from "./read-serialized-dag.ts";
import type { RunnableDag } from "./runnable-dag.ts";

/** Tasks that no Dag orders. */
export interface PlainTasks {
  readonly dagId: string;
  /** In the order in which they are to start. */
  readonly taskIds: readonly string[];
  /** Of each. Default 0. */
  readonly retries?: number;
  /** Default 300, as in Airflow. */
  readonly retryDelaySeconds?: number;
}

/** A Dag of tasks that do not depend on each other, as `bundle.task` registers them. */
export function dagOfTasks(plain: PlainTasks): RunnableDag {
  const { dagId, taskIds, retries = 0, retryDelaySeconds = 300 } = plain;
  const tasks = taskIds.map((taskId, at) => ({
    __type: "operator",
    __var: {
      task_id: taskId,
      retries,
      retry_delay: retryDelaySeconds,
      // The first one starts first where not all can.
      priority_weight: taskIds.length - at,
      _parlance: { kind: "task", inputs: {} },
    },
  }));
  const timetable = { __type: "airflow.timetables.simple.NullTimetable", __var: {} };
  return readSerializedDag({ __version: 3, dag: { dag_id: dagId, fileloc: "", timetable, tasks } });
}
