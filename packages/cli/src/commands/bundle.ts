import type { Command } from "commander";
import type { InspectOptions } from "../bundle/inspect-command.ts";
import type { PackCommandOptions } from "../bundle/pack-command.ts";
import type { CommandIo } from "../io.ts";

const DIGEST_NOTE =
  "\nThe digest covers the executable region only and stands in the same file: it detects damage,\n" +
  "not tampering. Order: strip, sign, pack; whatever changes the file later breaks it.";

/** `parlance bundle pack|inspect|verify|find` */
export function registerBundle(program: Command, io: CommandIo): void {
  const group = program
    .command("bundle")
    .summary("append, read, check and find AFBNDL01 bundles")
    .description("Work with AFBNDL01 bundles: executables that carry metadata for Airflow.")
    .addHelpText("after", DIGEST_NOTE);
  registerPack(group, io);
  registerInspect(group, io);
  registerVerify(group, io);
  registerFind(group, io);
}

function registerPack(group: Command, io: CommandIo): void {
  group
    .command("pack")
    .summary("append source, metadata and footer to an executable")
    .description(
      "Append source, metadata and footer to a copy of any executable. The output appears whole, " +
        "with its execute bits; a failure leaves the old file. Metadata in JSON is completed " +
        "(task_handlers, source index) and written again; metadata in YAML is kept byte for byte " +
        "when no YAML reader can mistake a version or an id in it, and written as JSON otherwise.",
    )
    .requiredOption("--executable <file>", "the file to append to; it is only read")
    .requiredOption("--metadata <file>", "metadata in YAML or JSON")
    .option("--source <file>", "a source file to embed; may be repeated", collect, [])
    .requiredOption("--out <file>", "the bundle to write; not the executable itself")
    .option("--json", "print {path, size, footer, regions}")
    .addHelpText("after", DIGEST_NOTE)
    .action(async (options: PackCommandOptions) => {
      const { packCommand } = await import("../bundle/pack-command.ts");
      await packCommand(options, io);
    });
}

function collect(word: string, before: readonly string[]): readonly string[] {
  return [...before, word];
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
      "Search folders for the bundle that runs a Dag, as Airflow's ExecutableCoordinator does, " +
        "in order of names, and print it with every candidate that was rejected and why.",
    )
    .requiredOption("--root <dirs...>", "folders to search, in this order")
    .requiredOption("--dag <id>", "the Dag id")
    .option("--json", "JSON is what is printed anyway; errors become JSON too")
    .addHelpText("after", DIGEST_NOTE)
    .action(async (options: { root: string[]; dag: string }) => {
      const { findCommand } = await import("../bundle/find-command.ts");
      await findCommand(options, io);
    });
}
