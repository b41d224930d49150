import {
  DagReadError,
  parseDagFile,
  type RunnableDag,
  readSerializedDag,
} from "@parlance/coordinator/dag-run";
import { CliError, ExitCode } from "../../errors.ts";
import type { CommandIo } from "../../io.ts";
import { escapeControls } from "../../terminal-text.ts";
import type { RunTarget } from "../resolve-target.ts";
import type { RunOptions } from "../run-options.ts";

/**
 * Asks the program for the Dag, as Airflow 3.4 does; undefined where it has tasks only (a Python Dag
 * orders them), or knows no such question.
 *
 * @throws CliError `bad-dag` where it tells the Dag, and it can't be run here; `import-errors` where it
 *   could not tell, and has no task of it either; `no-dags-told` where it has said nothing in 30 s
 */
export async function findNativeDag(
  target: RunTarget,
  { dagId, inheritEnv }: Pick<RunOptions, "dagId" | "inheritEnv">,
  io: CommandIo,
): Promise<RunnableDag | undefined> {
  const { argv, schemaVersion, native } = target;
  if (native !== undefined && !native.has(dagId)) return undefined;
  const { buildChildEnvironment } = await import("@parlance/coordinator");
  const env = buildChildEnvironment({
    parent: io.env,
    inheritEnv,
    env: { _AIRFLOW_PROCESS_CONTEXT: "client" },
  });
  const { signal } = io;
  const parsed = await parseDagFile({ argv, schemaVersion, env, cwd: io.cwd, signal });
  const document = parsed.dags.find(({ dag }) => dag["dag_id"] === dagId);
  if (document !== undefined) {
    try {
      return readSerializedDag(document);
    } catch (error) {
      if (!(error instanceof DagReadError)) throw error;
      const { message, code: reason, path } = error;
      const said = `Cannot run the Dag ${JSON.stringify(dagId)}: ${message}.`;
      throw new CliError("bad-dag", said, ExitCode.badInput, { dagId, reason, path });
    }
  }
  const late = parsed.importErrors.find(({ code }) => code === "time-limit");
  if (late !== undefined) {
    // To run its tasks in any order, where it may have a Dag, would be worse.
    const said = `Asked the program for its Dags: ${late.message}. Give --task to run a single task.`;
    throw new CliError("no-dags-told", said, ExitCode.badInput, { dagId });
  }
  const told = parsed.importErrors.filter(({ code }) => code === "reported");
  for (const { file, message } of told) {
    io.stderr.write(`${escapeControls(`warning: ${file}: ${message}`)}\n`);
  }
  if (told.length > 0 && (target.dags?.get(dagId) ?? []).length === 0) {
    const said = `Cannot run the Dag ${JSON.stringify(dagId)}: the program could not tell it: ${told[0]?.message}`;
    throw new CliError("import-errors", said, ExitCode.badInput, { dagId, importErrors: told });
  }
  return undefined;
}
