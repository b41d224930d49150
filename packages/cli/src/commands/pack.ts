import { type Command, Option } from "commander";
import { type CommandIo, write, writeJson } from "../io.ts";
import type { PackEntryOptions } from "../pack/pack-entry.ts";
import { escapeControls } from "../terminal-text.ts";

/** `parlance pack` */
export function registerPack(program: Command, io: CommandIo): void {
  program
    .command("pack")
    .summary("bundle a TypeScript entry and pack it for Airflow")
    .description(
      "Bundle a TypeScript entry with everything it imports and pack it as one file that Airflow's " +
        "ExecutableCoordinator starts. The Dag and task ids in its metadata come from the program " +
        "itself, which is run once for them.",
    )
    .argument("<entry>", "the TypeScript file that calls serve()")
    .requiredOption(
      "--out <file>",
      "the file to write; an old one stays until the new one is whole",
    )
    .addOption(
      new Option("--format <format>", "kind of bundle")
        .choices(["executable", "sea", "node"])
        .default("executable"),
    )
    .addOption(
      new Option(
        "--schema-version <version>",
        "supervisor schema version (2026-06-16 runs on every server)",
      )
        .choices(["2026-06-16", "2026-10-30"])
        .default("2026-06-16"),
    )
    .option("--source", "embed the project's source files, for Airflow to show")
    .option("--json", "print {path, format, schemaVersion, bytes, dags}")
    .action(async (entry: string, options: PackEntryOptions & { json?: boolean }) => {
      const { packEntry } = await import("../pack/pack-entry.ts");
      // With --json stderr holds one error line or nothing, for whoever reads it as such.
      const progress = (line: string) => {
        if (options.json !== true) io.stderr.write(`${escapeControls(line)}\n`);
      };
      const result = await packEntry(entry, options, io, progress);
      if (options.json === true) return writeJson(io.stdout, result);
      const dags = Object.entries(result.dags).map(
        ([dagId, { tasks }]) => `  ${escapeControls(`${dagId}: ${tasks.join(", ")}`)}\n`,
      );
      await write(
        io.stdout,
        `Packed ${escapeControls(options.out)} (${(result.bytes / 1024).toFixed(0)} KB, schema ${result.schemaVersion})\n${dags.join("")}`,
      );
    });
}
