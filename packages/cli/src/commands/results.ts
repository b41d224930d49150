import { type Command, Option } from "commander";
import type { CommandIo } from "../io.ts";
import { ageSeconds, collect, waitSeconds, wholeNumber } from "../option-values.ts";
import type { CleanupFlags } from "../results/cleanup-command.ts";
import type { ListFlags } from "../results/list-command.ts";
import type { MigrateFlags } from "../results/migrate-command.ts";
import type { PutFlags } from "../results/put-flags.ts";
import type { StoreFlags } from "../results/store/store-flags.ts";
import type { WaitFlags } from "../results/wait-command.ts";
import { registerGroup } from "./results-group.ts";
import { addStoreOptions, NOTATION_NOTE } from "./results-options.ts";

/** `parlance results …` */
export function registerResults(program: Command, io: CommandIo): void {
  const results = program
    .command("results")
    .summary("read and write the results of Celery tasks in a database")
    .description(
      "Work with the tables that Celery (and Airflow's CeleryExecutor) keeps task results in, on " +
        "SQLite, PostgreSQL, MySQL or MariaDB.",
    )
    .addHelpText("after", NOTATION_NOTE);
  registerGet(results, io);
  registerPut(results, io);
  registerWait(results, io);
  registerExists(results, io);
  registerForget(results, io);
  registerList(results, io);
  registerGroup(results, io);
  registerCleanup(results, io);
  registerMigrate(results, io);
}

function registerGet(results: Command, io: CommandIo): void {
  const command = results
    .command("get")
    .summary("what is stored of one task")
    .description(
      "Print state, result, time, traceback, children and the extended fields of one task. A task " +
        "without a row is PENDING, as Celery has it; `exists` tells the two apart.",
    )
    .argument("<id>", "the task id");
  addStoreOptions(command)
    .option("--json", "print one JSON document")
    .addHelpText("after", NOTATION_NOTE)
    .action(async (id: string, flags: StoreFlags) => {
      const { getCommand } = await import("../results/get-command.ts");
      await getCommand(id, flags, io);
    });
}

function registerPut(results: Command, io: CommandIo): void {
  const command = results
    .command("put")
    .summary("store the outcome of one task")
    .description(
      "Store state and result of one task as Celery would; the tables are made when they are not " +
        "there. A row that is SUCCESS is final: then nothing is written, which is told and no " +
        "error. The extended columns are written when one of their options is given.",
    )
    .argument("<id>", "the task id, up to 155 characters")
    .requiredOption(
      "--state <state>",
      "SUCCESS, FAILURE, RETRY, REVOKED, STARTED or one of your own",
    )
    .option(
      "--result <json>",
      "the value; for a failure {exc_type, exc_message, exc_module} (default: null)",
    )
    .option("--result-file <file>", "the same from a file, - for stdin")
    .option("--exc-type <name>", "for a failure: the exception's class, e.g. ValueError")
    .option("--exc-module <name>", "its Python module (default: builtins)")
    .option("--exc-message <text>", "an argument of the exception; may be repeated", collect)
    .option("--traceback <text>", "text of the traceback")
    .option("--children <json>", "task ids, or Celery's own tuples: [[[id, parent], members], …]")
    .option("--extended", "write the extended columns, also without a value for them")
    .option("--name <task>", "the registered name of the task")
    .option("--args <json>", "the positional arguments, an array")
    .option("--kwargs <json>", "the keyword arguments, an object")
    .option("--worker <name>", "who ran it, e.g. celery@host")
    .option("--retries <n>", "how often it was retried", wholeNumber(0))
    .option("--queue <name>", "its queue (routing key)")
    .option("--stamps <json>", "its stamps, an object by name")
    .option(
      "--stamped-headers <json>",
      "the names that are stamped, an array (default: all stamps)",
    )
    .option("--no-create-tables", "fail where the tables are missing");
  addStoreOptions(command)
    .option("--json", "print {taskId, state, written}: the row's state afterwards")
    .addHelpText("after", NOTATION_NOTE)
    .action(async (id: string, flags: PutFlags) => {
      const { putCommand } = await import("../results/put-command.ts");
      await putCommand(id, flags, io);
    });
}

function registerWait(results: Command, io: CommandIo): void {
  const command = results
    .command("wait")
    .summary("wait until a task has ended, then print it as get does")
    .description(
      "Look at a task's row until it is SUCCESS, FAILURE or REVOKED. Exit code 0 for SUCCESS, 1 for " +
        "the other two and for a time-out.",
    )
    .argument("<id>", "the task id")
    .option(
      "--timeout <seconds>",
      "how long; 0 looks once (default: for ever)",
      waitSeconds({ mayBeZero: true }),
    )
    .option("--interval <seconds>", "between two looks", waitSeconds({ mayBeZero: false }), 0.5);
  addStoreOptions(command)
    .option("--json", "print one JSON document, as get does")
    .addHelpText("after", NOTATION_NOTE)
    .action(async (id: string, flags: WaitFlags) => {
      const { waitCommand } = await import("../results/wait-command.ts");
      await waitCommand(id, flags, io);
    });
}

function registerExists(results: Command, io: CommandIo): void {
  const command = results
    .command("exists")
    .summary("whether there is a row for a task; exit code 0 or 1")
    .description("Tell whether there is a row for a task, in whatever state. Exit code 0 or 1.")
    .argument("<id>", "the task id");
  addStoreOptions(command)
    .option("--json", "print {exists}")
    .action(async (id: string, flags: StoreFlags) => {
      const { existsCommand } = await import("../results/row-commands.ts");
      await existsCommand(id, flags, io);
    });
}

function registerForget(results: Command, io: CommandIo): void {
  const command = results
    .command("forget")
    .summary("remove the row of a task")
    .description("Remove the row of a task. No row is no error.")
    .argument("<id>", "the task id");
  addStoreOptions(command)
    .option("--json", "print {taskId, forgotten}")
    .action(async (id: string, flags: StoreFlags) => {
      const { forgetCommand } = await import("../results/row-commands.ts");
      await forgetCommand(id, flags, io);
    });
}

function registerList(results: Command, io: CommandIo): void {
  const command = results
    .command("list")
    .summary("the tasks in the store, without their values")
    .description("List tasks as they are read; all conditions have to hold. Values are not read.")
    .option("--state <state>", "in exactly this state")
    .option("--name <task>", "with exactly this task name (extended rows have one)")
    .option(
      "--older-than <seconds>",
      "done longer ago; rows that are not done are left out",
      ageSeconds,
    )
    .option("--limit <n>", "at most so many", wholeNumber(1))
    .option("--ndjson", "print one JSON object a line");
  addStoreOptions(command)
    .option("--json", "print one JSON array")
    .action(async (flags: ListFlags) => {
      const { listCommand } = await import("../results/list-command.ts");
      await listCommand(flags, io);
    });
}

function registerCleanup(results: Command, io: CommandIo): void {
  const command = results
    .command("cleanup")
    .summary("remove what is older than so many seconds")
    .description(
      "Remove tasks and groups that were done longer ago, in small batches: no long lock is held. " +
        "Rows that are not done stay. Progress goes to stderr; Ctrl-C ends it between two batches.",
    )
    .requiredOption("--expires <seconds>", "age in seconds; 0 removes all that is done", ageSeconds)
    .option(
      "--batch-size <n>",
      "rows of one batch at most (default: about 30 ms of work)",
      wholeNumber(1),
    );
  addStoreOptions(command)
    .option("--json", "print {tasks, groups, batches, longestBatchMs}")
    .action(async (flags: CleanupFlags) => {
      const { cleanupCommand } = await import("../results/cleanup-command.ts");
      await cleanupCommand(flags, io);
    });
}

function registerMigrate(results: Command, io: CommandIo): void {
  const command = results
    .command("migrate")
    .summary("make the tables, add what older ones lack")
    .description(
      "Bring the tables up to date: missing tables, sequences, columns and indexes. Exit code 1 when " +
        "something could not be made.",
    )
    .option("--check", "change nothing; exit code 1 when something is missing")
    .option("--print", "change nothing; print the statements that would be run")
    .option(
      "--large-values",
      "on MySQL and MariaDB: room for results above 64 KiB (copies the tables)",
    )
    .addOption(
      new Option(
        "--dialect <dialect>",
        "with --print: all statements for an empty database; no URL is needed",
      ).choices(["sqlite", "postgresql", "mysql", "mariadb", "oracle", "mssql"]),
    );
  addStoreOptions(command)
    .option("--json", "print {dialect, made, failed}, {…, upToDate, missing} or {…, statements}")
    .action(async (flags: MigrateFlags) => {
      const { migrateCommand } = await import("../results/migrate-command.ts");
      await migrateCommand(flags, io);
    });
}
