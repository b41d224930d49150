import { SCHEMA_VERSIONS } from "@parlance/protocol/schema-version";
import { type Command, Option } from "commander";
import type { DoctorCommandOptions } from "../bundle/doctor-command.ts";
import type { InspectOptions } from "../bundle/inspect-command.ts";
import type { PackCommandOptions } from "../bundle/pack-command.ts";
import type { CommandIo } from "../io.ts";
import { collect } from "../option-values.ts";

const DIGEST_NOTE =
  "\nThe digest covers the executable region only and stands in the same file: it detects damage,\n" +
  "not tampering. Order: strip, sign, pack; whatever changes the file later breaks it.";

/** `parlance bundle pack|inspect|verify|find|doctor` */
export function registerBundle(program: Command, io: CommandIo): void {
  const group = program
    .command("bundle")
    .summary("append, read, check, find and explain bundles")
    .description("Work with AFBNDL01 bundles: executables that carry metadata for Airflow.")
    .addHelpText("after", DIGEST_NOTE);
  registerPack(group, io);
  registerInspect(group, io);
  registerVerify(group, io);
  registerFind(group, io);
  registerDoctor(group, io);
}

function registerPack(group: Command, io: CommandIo): void {
  group
    .command("pack")
    .summary("append source, metadata and footer to an executable")
    .description(
      "Append source, metadata and footer to a copy of an executable: ELF, Mach-O, PE or a script. " +
        "The output appears whole, with its execute bits; a failure leaves the old file. Metadata " +
        "in JSON is completed (task_handlers, source index) and written again; metadata in YAML is " +
        "kept byte for byte when no YAML reader can mistake a version or an id in it, and written " +
        "as JSON otherwise, or to add an index of several sources. Refused is what would not run: " +
        "an empty or compressed file, a library, a text without an interpreter line, one that ends " +
        "with CR LF, a file with a signature that appended bytes break.",
    )
    .requiredOption("--executable <file>", "the file to append to; it is only read")
    .option("--metadata <file>", "metadata in YAML or JSON")
    .option("--source <file>", "a source file, or a folder of them; may be repeated", collect, [])
    .option("--out <file>", "the bundle to write; not the executable itself")
    .option("--platform <name>", "refuse a program for another platform, e.g. linux")
    .option("--arch <name>", "refuse a program for another architecture, e.g. x64 or amd64")
    .option(
      "--repack",
      "take a bundle apart and pack it again: what is not given anew stays as it is, also the name",
    )
    .addOption(
      new Option("--schema-version <version>", "replace the one in the metadata").choices([
        ...SCHEMA_VERSIONS,
      ]),
    )
    .option("--lf", "write a script with LF line ends")
    .option("--interpreter <line>", 'replace a script\'s first line, e.g. "#!/usr/bin/env node"')
    .option("--force", "pack what would be refused: compressed, signed, no script")
    .option("--json", "print {path, size, footer, regions}")
    .addHelpText("after", DIGEST_NOTE)
    .action(async (options: PackCommandOptions) => {
      const { packCommand } = await import("../bundle/pack-command.ts");
      await packCommand(options, io);
    });
}

function registerInspect(group: Command, io: CommandIo): void {
  group
    .command("inspect")
    .summary("print what a bundle holds and what is wrong with it, as JSON")
    .description(
      "Print footer, regions, metadata and problems of a bundle as JSON. Exit code 65 unless it " +
        "is verified: footer strict, digest equal, metadata a YAML map.",
    )
    .argument("<file>", "the bundle")
    .option("--source", "print the source region instead (with --json: its files as text)")
    .option("--json", "JSON is what is printed anyway; errors become JSON too")
    .addHelpText("after", DIGEST_NOTE)
    .action(async (file: string, options: InspectOptions) => {
      const { inspectCommand } = await import("../bundle/inspect-command.ts");
      await inspectCommand(file, options, io);
    });
}

function registerVerify(group: Command, io: CommandIo): void {
  group
    .command("verify")
    .summary("check bundles; one line a fault")
    .description(
      "Check bundles: footer strict, digest equal, metadata a YAML map. One line a fault, exit " +
        "code 1 if there is any. What Airflow would mind besides goes to stderr as a warning.",
    )
    .argument("<files...>", "the bundles")
    .option("--strict", "warnings are faults too")
    .option("--json", "print one JSON document")
    .addHelpText("after", DIGEST_NOTE)
    .action(async (files: string[], options: { strict?: boolean; json?: boolean }) => {
      const { verifyCommand } = await import("../bundle/verify-command.ts");
      await verifyCommand(files, options, io);
    });
}

function registerFind(group: Command, io: CommandIo): void {
  group
    .command("find")
    .summary("find the bundle that runs a Dag, as Airflow does")
    .description(
      "Search folders for the bundle that runs a Dag, as Airflow's ExecutableCoordinator or the " +
        "NodeCoordinator of 3.4 does, in order of names, and print it with every candidate that was " +
        "rejected and why. What an Airflow takes in the order of its file system tells `doctor`.",
    )
    .requiredOption("--root <dirs...>", "folders to search, in this order")
    .requiredOption("--dag <id>", "the Dag id")
    .addOption(
      new Option(
        "--format <format>",
        "AFBNDL01 executables, or the *.min.mjs bundles of Airflow 3.4",
      )
        .choices(["executable", "node"])
        .default("executable"),
    )
    .option("--json", "JSON is what is printed anyway; errors become JSON too")
    .addHelpText("after", DIGEST_NOTE)
    .action(async (options: { root: string[]; dag: string; format: "executable" | "node" }) => {
      const { findCommand } = await import("../bundle/find-command.ts");
      await findCommand(options, io);
    });
}

function registerDoctor(group: Command, io: CommandIo): void {
  group
    .command("doctor")
    .summary("explain every file that Airflow passes over, and what mends it")
    .description(
      "Look at every file under the roots as the finders of Airflow do, in their order, and tell " +
        "which file is taken for which Dag, what is passed over or can't be started, why, and the " +
        "command that mends it. Nothing is changed. Run it on the worker as the user of Airflow: " +
        "files are judged as that user may read and run them. Exit code 1 when something is to mend.",
    )
    .requiredOption("--root <dirs...>", "the folders that Airflow searches, in this order")
    .addOption(
      new Option("--airflow <line>", "whose finders: 3.3 (executables) or 3.4 (and Node bundles)")
        .choices(["3.3", "3.4"])
        .default("3.3"),
    )
    .option("--platform <name>", "of the worker, if it is not this machine")
    .option("--arch <name>", "of the worker, if it is not this machine")
    .option("--path <folders>", "the worker's PATH, if it is not this one")
    .option("--json", "print one JSON document")
    .addHelpText("after", DIGEST_NOTE)
    .action(async (options: DoctorCommandOptions) => {
      const { doctorCommand } = await import("../bundle/doctor-command.ts");
      await doctorCommand(options, io);
    });
}
