import {
  DagReadError,
  type ParsedDagFile,
  type RunnableDag,
  readSerializedDag,
} from "@parlance/coordinator/dag-run";
import { CliError, ExitCode } from "../errors.ts";

/** What a program has to run. */
export interface ReadDags {
  readonly dags: readonly RunnableDag[];
  /** Task ids by Dag id, of tasks that no Dag orders. */
  readonly plainTasks: ReadonlyMap<string, readonly string[]>;
  /** What is wrong with Dags that are not among these. */
  readonly problems: readonly string[];
}

/**
 * Brings together what a program answered as Dags and what it registers as tasks.
 *
 * The tasks of a Dag that can't be run are not taken for tasks without one: they would run in any order.
 *
 * @param registered - task ids by Dag id; empty where the program does not tell
 * @throws CliError `no-dags-told` (65) where the program did not answer in time: it may have Dags
 */
export function readDags(
  parsed: Pick<ParsedDagFile, "dags" | "importErrors">,
  registered: ReadonlyMap<string, readonly string[]>,
): ReadDags {
  const late = parsed.importErrors.find(({ code }) => code === "time-limit");
  if (late !== undefined) {
    const said = `The program was asked for its Dags: ${late.message}`;
    throw new CliError("no-dags-told", said, ExitCode.badInput);
  }
  // A runtime that knows no Dags of its own has no answer; its bundle tells its tasks.
  const told = parsed.importErrors.filter(
    ({ code }) => code === "reported" || registered.size === 0,
  );
  const problems = told.map(({ message }) => message);
  const dags: RunnableDag[] = [];
  const broken = new Set<string>();
  for (const document of parsed.dags) {
    try {
      dags.push(readSerializedDag(document));
    } catch (error) {
      if (!(error instanceof DagReadError)) throw error;
      problems.push(error.message);
      if (error.dagId !== null) broken.add(error.dagId);
    }
  }
  const native = new Set(dags.map(({ dagId }) => dagId));
  const isPlain = (dagId: string): boolean =>
    !native.has(dagId) &&
    !broken.has(dagId) &&
    !told.some(({ message }) => message.includes(dagId));
  return { dags, plainTasks: new Map([...registered].filter(([id]) => isPlain(id))), problems };
}
