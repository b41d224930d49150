import type { RunnableDag } from "@parlance/coordinator/dag-run";
import type { SchemaVersion } from "@parlance/protocol";
import type { LoadError } from "../api/types.ts";

/** A program that tells its Dags and runs their tasks. */
export interface LoadedProgram {
  /** The command, without `--comm` and `--logs`. */
  readonly argv: readonly string[];
  readonly schemaVersion: SchemaVersion;
  /** Made with `dag()`. */
  readonly dags: readonly RunnableDag[];
  /** Task ids by Dag id, of tasks without a Dag around them. */
  readonly plainTasks: ReadonlyMap<string, readonly string[]>;
  readonly loadedAt: Date;
}

/** What there is of the user's code at this moment. */
export interface ProjectState {
  /** Counts up with each change. */
  readonly revision: number;
  /** The newest that could be loaded; null before there was any. */
  readonly program: LoadedProgram | null;
  /** Why the newest code is not that program, or what is wrong with some of its Dags. */
  readonly error: LoadError | null;
}

/** The user's code, loaded again whenever it changes. */
export interface DevProject {
  /** For the title of the page. */
  readonly name: string;
  current(): ProjectState;
  /** Calls the listener after each change until the returned function is called. */
  onChange(listener: () => void): () => void;
}
