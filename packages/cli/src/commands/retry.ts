import type { Command } from "commander";
import type { CommandIo } from "../io.ts";
import type { MigrateFlags } from "../retry/migrate-command.ts";
import type { PlanFlags } from "../retry/plan-settings.ts";

/** `parlance retry plan|delay|migrate` */
export function registerRetry(program: Command, io: CommandIo): void {
  const group = program
    .command("retry")
    .summary("when a failed task runs again, and the move from booleans to numbers")
    .description(
      "Numeric retry_exponential_backoff, as the scheduler of Airflow 3.3.2 calculates it.",
    );
  registerPlan(group, io);
  registerDelay(group, io);
  registerMigrate(group, io);
}

const PLAN_EXAMPLES = `
Each wait is base + jitter, base = ceil(delay * multiplier^(try - 1)), jitter from 0 to base - 1: the
same for each try of the same run, drawn from Dag id, task id, logical date and try number. A multiplier
of 0, 1 or below 0 means a fixed delay, without jitter and without caps.

Examples:
  parlance retry plan --dag etl --task load --retry-delay 300 --multiplier 2 --tries 5 \\
    --logical-date 2026-01-02T03:04:05Z --end-date 2026-01-02T04:00:00Z
  parlance retry plan --dag etl --task load --multiplier 3.5 --tries 8 --max-retry-delay 7200 --svg plan.svg
  curl -H "Authorization: Bearer $TOKEN" $AIRFLOW/api/v2/dags/etl/tasks/load |
    parlance retry plan --from-task - --dag etl --logical-date 2026-01-02T03:04:05Z --json`;

function registerPlan(group: Command, io: CommandIo): void {
  group
    .command("plan")
    .summary("when each attempt of a failing task starts, and why then")
    .description(
      "Print base, jitter, cap and next start of each wait of a task that fails at every attempt. What " +
        "is left out has the default of Airflow's [core] options.",
    )
    .requiredOption("--dag <id>", "the Dag id")
    .option("--task <id>", "the full task id; not needed with --from-task")
    .option("--retry-delay <seconds>", "the task's retry_delay (default: 300)")
    .option("--multiplier <number>", "the task's retry_exponential_backoff (default: 0)")
    .option("--tries <n>", "attempts in all: retries and one (default: 1), at most 10000")
    .option("--logical-date <iso>", "of the run, with zone; none for a run without (default: none)")
    .option(
      "--end-date <iso>",
      "when the first attempt failed, with zone (default: times from then on)",
    )
    .option("--max-retry-delay <seconds>", "the task's cap; 0 is none (default: none)")
    .option("--max-task-retry-delay <seconds>", "the cap of [core], whole (default: 86400)")
    .option("--first-try <n>", "try number to begin with, after clearing (default: 1)")
    .option("--run-time <seconds>", "how long each further attempt runs (default: 0)")
    .option(
      "--from-task <file>",
      "what the REST API answered about the task; - for stdin. It has no max_retry_delay",
    )
    .option("--svg <file>", "write a picture too")
    .option("--json", "print one JSON document")
    .addHelpText("after", PLAN_EXAMPLES)
    .action(async (flags: PlanFlags) => {
      const { planCommand } = await import("../retry/plan-command.ts");
      await planCommand(flags, io);
    });
}

const DELAY_EXAMPLE = `
Fields: dag_id, task_id, logical_date, end_date, try_number, retry_delay_us, multiplier; and, if wanted,
max_retry_delay_us, max_task_retry_delay_s, override_seconds, layer (sdk, mapped, memory, direct).
Numbers that JSON can't hold: {"$f":"nan"|"inf"|"-inf"}, {"$int":"digits"}.

Example:
  echo '{"dag_id":"etl","task_id":"load","logical_date":"2026-01-02T03:04:05+00:00","end_date":"2026-01-02T04:00:00+00:00","try_number":1,"retry_delay_us":300000000,"multiplier":2}' |
    parlance retry delay
  {"delay_us":512000000,"next_retry":"2026-01-02T04:08:32.000000+00:00"}`;

function registerDelay(group: Command, io: CommandIo): void {
  group
    .command("delay")
    .summary("JSON lines of failed attempts -> when each runs again")
    .description(
      'Answer each JSON line with {"delay_us","next_retry"} or {"error"}, also where Airflow refuses ' +
        "the values. Exit code 0 when every line was answered; a line that is no question ends it with 65.",
    )
    .argument("[file]", "file with JSON lines; stdin when absent or -")
    .option("--json", "accepted; the output is JSON in any case, this makes errors JSON too")
    .addHelpText("after", DELAY_EXAMPLE)
    .action(async (file: string | undefined) => {
      const { delayCommand } = await import("../retry/delay-command.ts");
      await delayCommand(file, io);
    });
}

const MIGRATE_EXAMPLES = `
Found: keyword arguments of operators, @task(...), .partial(...), .override(...), functools.partial(...)
and dict(...), keys of dict literals (default_args), assignments to the attribute or the item, and
constants of the file that are used for nothing else. Not changed but told: variables, parameters,
conditional expressions and whatever else only running the file decides. Every other byte stays as it is;
the new file is parsed, and must mean the same but for these constants.

Needs Python 3.8 or newer, as new as the files' own syntax.

Examples:
  parlance retry migrate dags/*.py            # a diff; exit code 1 when there is something to change
  parlance retry migrate --write dags/*.py`;

function registerMigrate(group: Command, io: CommandIo): void {
  group
    .command("migrate")
    .summary("make numbers of booleans given as retry_exponential_backoff")
    .description(
      "Find True and False given as retry_exponential_backoff in Python files, and make 2.0 and 0 of " +
        "them. Without --write a diff is printed, with exit code 1 when there is something to change.",
    )
    .argument("<files...>", "Python files")
    .option("--write", "change the files, each in one step")
    .option("--python <command>", "the Python to parse with (default: python3 or python of PATH)")
    .option("--json", "print one JSON document instead of the diff")
    .addHelpText("after", MIGRATE_EXAMPLES)
    .action(async (files: string[], flags: MigrateFlags) => {
      const { migrateCommand } = await import("../retry/migrate-command.ts");
      await migrateCommand(files, flags, io);
    });
}
