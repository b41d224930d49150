import { type Command, Option } from "commander";
import { type CommandIo, write, writeJson } from "../io.ts";
import type { PackEntryOptions, PackResult } from "../pack/pack-options.ts";
import { escapeControls } from "../terminal-text.ts";

/** `parlance pack` */
export function registerPack(program: Command, io: CommandIo): void {
  program
    .command("pack")
    .summary("bundle a TypeScript entry and pack it for Airflow")
    .description(
      "Bundle a TypeScript entry with everything it imports and pack it as one file. The Dag and " +
        "task ids in its metadata come from the program itself, which is run once for them.\n\n" +
        "executable: a script for Airflow's ExecutableCoordinator (3.3 and 3.4); the worker has Node.js on its PATH\n" +
        "sea:        the same with Node.js inside, about 100 MB; the worker needs none\n" +
        "node:       an ES module, *.min.mjs, for the NodeCoordinator of Airflow 3.4",
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
    .option("--minify", "shorten the program; stacks still name the lines of your files")
    .addOption(
      new Option(
        "--node-flag <flag>",
        "executable: a flag that node is started with; repeatable",
      ).argParser((flag: string, before: readonly string[] = []) => [...before, flag]),
    )
    .option("--node-options <flags>", "executable: the same, several, as in NODE_OPTIONS")
    .option("--node-binary <file>", "sea: the Node.js to put the program into (default: this one)")
    .option("--json", "print {path, format, schemaVersion, bytes, dags, warnings}")
    .action(async (entry: string, options: PackEntryOptions & { json?: boolean }) => {
      const { packEntry } = await import("../pack/pack-entry.ts");
      // With --json stderr holds one error line or nothing, for whoever reads it as such.
      const progress = (line: string) => {
        if (options.json !== true) io.stderr.write(`${escapeControls(line)}\n`);
      };
      const result = await packEntry(entry, options, io, progress);
      if (options.json === true) return writeJson(io.stdout, result);
      for (const warning of result.warnings) progress(`warning: ${warning}`);
      await write(io.stdout, resultText(result, options.out));
    });
}

function resultText({ format, bytes, schemaVersion, nodeVersion, dags }: PackResult, out: string) {
  const size = bytes < 1e7 ? `${(bytes / 1024).toFixed(0)} KB` : `${(bytes / 1e6).toFixed(0)} MB`;
  const node = nodeVersion === undefined ? "" : `, Node.js ${nodeVersion}`;
  const lines = Object.entries(dags).map(
    ([dagId, { tasks }]) => `  ${escapeControls(`${dagId}: ${tasks.join(", ")}`)}\n`,
  );
  return `Packed ${escapeControls(out)} (${format}, ${size}, schema ${schemaVersion}${node})\n${lines.join("")}`;
}
