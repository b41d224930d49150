import type { Command } from "commander";
import type { EmitFlags } from "../dag/emit-command.ts";
import type { CommandIo } from "../io.ts";

const EXAMPLES = `
What stubs can't say is an error that names it, and nothing is written; what Airflow 3.3 lacks but can do without
is a warning. A file that this command did not write, or that was edited since, is overwritten with --force alone.

Examples:
  parlance dag emit src/dags.ts --queue typescript --out dags          # dags/DAG_ID.py for each Dag
  parlance dag emit src/dags.ts --dag sales --out dags/sales.py
  parlance dag emit src/dags.ts --queue typescript --out dags --check  # in CI: a diff and exit code 1 when one drifted`;

/** `parlance dag …` */
export function registerDag(program: Command, io: CommandIo): void {
  const group = program.command("dag").summary("write the Python Dags of a program");
  group
    .command("emit")
    .summary("write the Python Dag of stubs that Airflow 3.3 needs")
    .description(
      "Write the Python file of @task.stub tasks for each Dag that the program makes with dag(). Airflow 3.3 " +
        "needs such a file; 3.4 reads the Dags from the program itself.",
    )
    .argument("<program>", "the TypeScript entry, a bundle, or a file of serialised Dags (*.json)")
    .option(
      "--dag <id>",
      "of this Dag alone; repeatable",
      (dagId: string, before: readonly string[] = []) => [...before, dagId],
    )
    .option("--out <path>", "a folder for DAG_ID.py files, or one *.py file (default: stdout)")
    .option(
      "--check",
      "write nothing; a diff and exit code 1 when a file is not as it would be written",
    )
    .option("--queue <queue>", "the queue of tasks that name none")
    .option("--force", "overwrite files that this command did not write, or that were edited since")
    .option("--json", "print one JSON document")
    .addHelpText("after", EXAMPLES)
    .action(async (path: string, flags: EmitFlags) => {
      const { emitCommand } = await import("../dag/emit-command.ts");
      await emitCommand(path, flags, io);
    });
}
