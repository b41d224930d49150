import type { Command } from "commander";
import type { CommandIo } from "../io.ts";
import type { TypesFlags } from "../stub-types/types-command.ts";

const EXAMPLES = `
For each task that is made of a stub (@task.stub, task.stub(…)(function), .override, .partial, .expand) the file
has its inputs, as the Dag passes them, the type of its result, the type of its handler, and a TaskStub to
register a handler with:

  import { totalTask } from "./sales.stubs.ts";
  bundle.task(totalTask, ({ inputs }) => inputs.rows.length);

Types come from the annotations; TypedDict, dataclasses, NamedTuple, enums and pydantic models of the same file
are followed. What only running the file tells is said on stderr and left open. Needs Python 3.8 or newer, as
new as the file's own syntax.

Examples:
  parlance types --dag dags/sales.py --out src/sales.stubs.ts
  parlance types --dag dags/sales.py --out src/sales.stubs.ts --check     # in CI: exit code 1 when it is stale`;

/** `parlance types` */
export function registerTypes(program: Command, io: CommandIo): void {
  program
    .command("types")
    .summary("write the handler types of a Python Dag's stubs")
    .description(
      "Read a Python Dag file, with Python's own parser and without running it, and write the types of " +
        "the handlers of its @task.stub tasks.",
    )
    .requiredOption("--dag <file>", "the Python file of the Dag")
    .option("--out <file>", "the TypeScript file to write (default: stdout)")
    .option("--check", "write nothing; exit code 1 when --out is not as it would be written")
    .option("--python <command>", "the Python to parse with (default: python3 or python of PATH)")
    .option("--json", "print one JSON document")
    .addHelpText("after", EXAMPLES)
    .action(async (flags: TypesFlags) => {
      const { typesCommand } = await import("../stub-types/types-command.ts");
      await typesCommand(flags, io);
    });
}
