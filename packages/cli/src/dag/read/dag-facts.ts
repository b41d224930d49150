import type { Py } from "../python/expression.ts";

/** An argument by its name. */
export type NamedArgument = readonly [name: string, value: Py];

/** A Dag, as far as a Python file says it. */
export interface DagFacts {
  readonly dagId: string;
  /** Of `DAG(…)`, without the id. */
  readonly args: readonly NamedArgument[];
  /** By their full ids, in order of declaration. */
  readonly tasks: ReadonlyMap<string, TaskFacts>;
  /** The group of all: its id is empty. */
  readonly root: GroupFacts;
  /** Texts on edges: upstream id, downstream id, text. */
  readonly labels: readonly (readonly [from: string, to: string, label: Py])[];
}

/** A task. */
export interface TaskFacts {
  /** Full id. */
  readonly taskId: string;
  /** As it is said within its group. */
  readonly label: string;
  /** What a reader should know that the arguments do not say. */
  readonly comment: string | undefined;
  readonly queue: string;
  /** Of `@task.stub(…)`, without id and queue. */
  readonly args: readonly NamedArgument[];
  readonly inputs: readonly InputFacts[];
  readonly isMapped: boolean;
  /** Full ids. */
  readonly downstream: readonly string[];
}

/** A value that the Dag shows: results of other tasks, and what a task is mapped over. */
export interface InputFacts {
  readonly name: string;
  readonly isEach: boolean;
  /** The task whose result it is, or what is written in place. */
  readonly from: { readonly taskId: string; readonly key: string } | { readonly literal: Py };
}

/** A group of tasks. */
export interface GroupFacts {
  /** Full id; empty for the group of all. */
  readonly groupId: string;
  readonly label: string;
  /** Of `TaskGroup(…)`, without the id. */
  readonly args: readonly NamedArgument[];
  /** Full ids of tasks, and groups, in order. */
  readonly children: readonly (string | GroupFacts)[];
  readonly upstreamGroupIds: readonly string[];
  readonly upstreamTaskIds: readonly string[];
  readonly downstreamTaskIds: readonly string[];
}
