import type { Tier } from "../case/case-types.ts";

/** A line of the capability matrix. */
export interface Dimension {
  readonly name: string;
  readonly group: "states" | "runtime" | "native-dag";
  readonly tier: Tier;
  /** Its tier counts only where native-dag-authoring is supported; else it does not apply. */
  readonly needsNativeDags?: true;
  /** Why no case can see it: nothing of it is on the wire. */
  readonly unseen?: string;
  /** What a task or its author can do where it is supported. */
  readonly means: string;
}

const state = (name: string, tier: Tier, means: string): Dimension => ({
  name,
  group: "states",
  tier,
  means,
});
const runtime = (name: string, tier: Tier, means: string): Dimension => ({
  name,
  group: "runtime",
  tier,
  means,
});
const nativeDag = (name: string, tier: Tier, means: string, unseen?: string): Dimension => ({
  name,
  group: "native-dag",
  tier,
  needsNativeDags: true,
  means,
  ...(unseen !== undefined && { unseen }),
});

/** Every dimension of the field's matrix, in its order: a declaration has exactly these. */
export const DIMENSIONS: readonly Dimension[] = [
  state("success", "must", "a task that succeeds is reported so"),
  state("failed", "must", "an error that may not be retried is reported as failed"),
  state("up_for_retry", "must", "an error with tries left is reported as a retry"),
  state("skipped", "should", "a task can skip itself"),
  state("deferred", "may", "a task can wait for a trigger"),
  state("up_for_reschedule", "may", "a task can ask to be started again at a time"),
  state("awaiting_input", "may", "a task can ask a person"),
  state("removed", "may", "a task that the program does not have is reported so"),
  runtime("mixed-lang-stub-target", "must", "runs the tasks that a Python Dag declares as stubs"),
  runtime("taskflow-binding", "must", "takes the arguments of the Python call"),
  runtime("task-logging", "must", "records and printed lines reach the task's log"),
  runtime("xcom-read-write", "must", "reads and writes XComs"),
  runtime("connection-read", "must", "reads Connections"),
  runtime("variable-read-write", "must", "reads, writes and deletes Variables"),
  runtime("self-contained-bundle", "must", "code and metadata are one file"),
  runtime("retry-policy", "may", "a failing task says when, or whether, it is tried again"),
  runtime("task-state-store", "may", "keeps values for a task's next try"),
  runtime("asset-state-store", "may", "keeps values with an asset"),
  runtime("asset-event-emit", "may", "tells of changes of assets"),
  runtime("asset-event-read", "may", "reads what happened to assets"),
  {
    name: "native-dag-authoring",
    group: "native-dag",
    tier: "should",
    means: "whole Dags in this language",
  },
  nativeDag("task-args", "must", "values are handed to tasks"),
  nativeDag("dag-params", "must", "Dags have params"),
  nativeDag("taskflow-dependencies", "must", "values between tasks make dependencies"),
  nativeDag("branching", "should", "a task chooses what follows"),
  nativeDag("dag-test", "should", "a Dag runs on the laptop", "it is a command of the SDK"),
  nativeDag("task-group", "may", "tasks are grouped"),
  nativeDag("dynamic-task-mapping", "may", "a task is mapped over a list"),
  nativeDag("asset-inlets-outlets", "may", "tasks have inlets and outlets"),
  nativeDag("asset-scheduling", "may", "Dags are scheduled by assets"),
  nativeDag("object-store", "may", "paths in object stores", "the store is asked past Airflow"),
];

/** The names of the dimensions, to look one up. */
export const DIMENSIONS_BY_NAME: ReadonlyMap<string, Dimension> = new Map(
  DIMENSIONS.map((dimension) => [dimension.name, dimension]),
);
