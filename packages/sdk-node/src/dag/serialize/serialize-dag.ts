import type { DagModel } from "../dag-model.ts";
import { encodeDependencies } from "./dependencies.ts";
import { type Encoded, epochSeconds, seconds, typed } from "./encode.ts";
import { encodeGroups } from "./groups.ts";
import { encodeParams } from "./params.ts";
import { encodeArguments } from "./settings.ts";
import { encodeTask } from "./tasks.ts";
import { encodeTimetable } from "./timetable.ts";

/** Where the Dag is, as the Dag processor tells. */
export interface DagFile {
  /** Absolute path of the file that holds it. */
  readonly fileloc: string;
  /** The same below its Dag bundle's folder. */
  readonly relativeFileloc: string;
}

/** Airflow's own form of a whole Dag; plain JSON. */
export interface SerializedDag {
  readonly __version: 3;
  readonly dag: { readonly [field: string]: Encoded };
}

/**
 * A Dag in the form in which Airflow 3.4 stores and loads it, version 3. What Airflow's configuration
 * decides is left to it: `max_active_tasks`, `max_active_runs`, `catchup` and others where nothing is
 * said. It loads as the same Dag written in Python does, but for the names of operators, and for what
 * stands in each task under `_parlance`.
 */
export function serializeDag(dag: DagModel, file: DagFile): SerializedDag {
  const { ownerLinks, taskDefaults } = dag;
  const said: { readonly [field: string]: Encoded } = {
    dag_display_name: dag.displayName,
    description: dag.description,
    doc_md: dag.doc,
    start_date: dag.startDate && epochSeconds(dag.startDate),
    end_date: dag.endDate && epochSeconds(dag.endDate),
    catchup: dag.catchup,
    max_active_tasks: dag.maxActiveTasks,
    max_active_runs: dag.maxActiveRuns,
    max_consecutive_failed_dag_runs: dag.maxConsecutiveFailedRuns,
    dagrun_timeout: dag.dagrunTimeoutMs === null ? null : seconds(dag.dagrunTimeoutMs),
    fail_fast: dag.failFast || null,
    is_paused_upon_creation: dag.isPausedUponCreation,
    tags: dag.tags.length > 0 ? [...dag.tags].sort() : null,
    owner_links: Object.keys(ownerLinks).length > 0 ? ownerLinks : null,
    default_args:
      Object.keys(taskDefaults).length > 0 ? typed("dict", encodeArguments(taskDefaults)) : null,
  };
  return {
    __version: 3,
    dag: {
      dag_id: dag.dagId,
      fileloc: file.fileloc,
      relative_fileloc: file.relativeFileloc,
      timezone: dag.timezone,
      timetable: encodeTimetable(dag),
      ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null)),
      params: encodeParams(dag.params, null),
      tasks: dag.tasks.map((task) => encodeTask(task, dag)),
      task_group: encodeGroups(dag),
      dag_dependencies: encodeDependencies(dag),
      edge_info: {},
    },
  };
}
