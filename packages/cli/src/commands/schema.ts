import type { Direction } from "@parlance/protocol";
// Not from the index: this is loaded at every start of `parlance`.
import { SCHEMA_VERSIONS, type SchemaVersion } from "@parlance/protocol/schema-version";
import { Argument, type Command, Option } from "commander";
import type { CommandIo } from "../io.ts";
import type { CheckFlags } from "../schema/check-command.ts";
import type { MigrateFlags } from "../schema/migrate-command.ts";

const DIRECTIONS: readonly Direction[] = ["to-supervisor", "to-task"];

const BODIES_NOTE =
  "\nA line is the body of a frame; values that JSON can't hold are written as in `wire encode`:\n" +
  '{"$":"datetime","iso":"…+00:00","aware":true} for a timestamp, {"$":"int","v":"…"}, and so on.\n' +
  "A line that is no JSON ends the reading with exit code 65; the lines before it are answered.";

/** `parlance schema versions|show|diff|check|migrate` */
export function registerSchema(program: Command, io: CommandIo): void {
  const group = program
    .command("schema")
    .summary("the messages of Airflow's supervisor schema, in both versions")
    .description("Look at Airflow's supervisor schema, and check and migrate message bodies.");
  registerVersions(group, io);
  registerShow(group, io);
  registerDiff(group, io);
  registerCheck(group, io);
  registerMigrate(group, io);
}

function registerVersions(group: Command, io: CommandIo): void {
  group
    .command("versions")
    .summary("the schema versions that are known")
    .description("Print the known schema versions, which Airflow speaks them, and their messages.")
    .option("--json", "print one JSON document")
    .action(async (options: { json?: boolean }) => {
      const { versionsCommand } = await import("../schema/versions-command.ts");
      await versionsCommand(options, io);
    });
}

function registerShow(group: Command, io: CommandIo): void {
  group
    .command("show")
    .summary("the fields of one message")
    .description("Print the fields of a message, or of a part of messages such as TIRunContext.")
    .argument("<message>", "its type, e.g. StartupDetails")
    .addOption(versionOption("--version <version>").default(SCHEMA_VERSIONS.at(-1)))
    .option("--json", "print one JSON document, with the JSON Schema of the message in it")
    .action(async (message: string, options: { version: SchemaVersion; json?: boolean }) => {
      const { showCommand } = await import("../schema/show-command.ts");
      await showCommand(message, options, io);
    });
}

function registerDiff(group: Command, io: CommandIo): void {
  group
    .command("diff")
    .summary("what changed between two versions, and what has no migration step")
    .description(
      "Print the messages and fields that changed between two versions, each with the migration " +
        "step that Airflow declares for it, and name the changes that have none.",
    )
    .addArgument(versionArgument("<from>"))
    .addArgument(versionArgument("<to>"))
    .option("--json", "print one JSON document")
    .action(async (from: SchemaVersion, to: SchemaVersion, options: { json?: boolean }) => {
      const { diffCommand } = await import("../schema/diff-command.ts");
      await diffCommand(from, to, options, io);
    });
}

function registerCheck(group: Command, io: CommandIo): void {
  group
    .command("check")
    .summary("message bodies -> a verdict each")
    .description(
      'Read bodies, one JSON line each, and print {"valid":true,"type"} or {"valid":false,"type"?,' +
        '"errors":[{"path","message"}]}, path being a JSON pointer. Exit code 1 if any is invalid.',
    )
    .argument("[file]", "file with bodies; stdin when absent or -")
    .addOption(versionOption("--version <version>").makeOptionMandatory())
    .addOption(directionOption())
    .option("--json", "accepted; the output is JSON in any case, this makes errors JSON too")
    .addHelpText("after", BODIES_NOTE)
    .action(async (file: string | undefined, options: CheckFlags) => {
      const { checkCommand } = await import("../schema/check-command.ts");
      await checkCommand(file, options, io);
    });
}

function registerMigrate(group: Command, io: CommandIo): void {
  group
    .command("migrate")
    .summary("message bodies -> the same for another version")
    .description(
      "Read bodies of one version, one JSON line each, and print them as Airflow 3.4 would hand " +
        'them to a reader of another. In place of a body that cannot be migrated {"error":{"code",' +
        '"message","type"?,"errors":[{"path","message"}]}} is printed, and the exit code is 1.',
    )
    .argument("[file]", "file with bodies; stdin when absent or -")
    .addOption(versionOption("--from <version>").makeOptionMandatory())
    .addOption(versionOption("--to <version>").makeOptionMandatory())
    .addOption(directionOption())
    .addOption(
      new Option("--unset <what>", "fields left out: filled in as Airflow's supervisor does it")
        .choices(["as-sent", "fill", "omit"])
        .default("as-sent"),
    )
    .option("--json", "accepted; the output is JSON in any case, this makes errors JSON too")
    .addHelpText("after", BODIES_NOTE)
    .action(async (file: string | undefined, options: MigrateFlags) => {
      const { migrateCommand } = await import("../schema/migrate-command.ts");
      await migrateCommand(file, options, io);
    });
}

function versionOption(flags: string): Option {
  return new Option(flags, "schema version").choices(SCHEMA_VERSIONS);
}

function versionArgument(name: string): Argument {
  return new Argument(name, "schema version").choices(SCHEMA_VERSIONS);
}

function directionOption(): Option {
  return new Option("--direction <direction>", "whom the bodies go to")
    .choices(DIRECTIONS)
    .makeOptionMandatory();
}
