import type { Command } from "commander";
import { type CommandIo, write, writeJson } from "../io.ts";

/** `parlance init` */
export function registerInit(program: Command, io: CommandIo): void {
  program
    .command("init")
    .summary("make a new project with TypeScript tasks")
    .description(
      "Make a new project: a TypeScript entry, package.json, tsconfig.json and the Python Dag of stubs.",
    )
    .argument("<dir>", "the new project's folder; absent or empty")
    .option("--json", "print {path, dagId, files}")
    .action(async (directory: string, options: { json?: boolean }) => {
      const { initProject } = await import("../init/init-project.ts");
      const result = await initProject(directory, io.cwd);
      if (options.json === true) return writeJson(io.stdout, result);
      await write(
        io.stdout,
        `Made ${directory}: ${result.files.join(", ")}\n\n` +
          `Next:\n  cd ${shellWord(directory)}\n  npm install\n  npm start\n`,
      );
    });
}

/** As a shell takes it, for lines that people copy. */
function shellWord(text: string): string {
  const word = text.startsWith("-") ? `./${text}` : text;
  return /^[\w./@%+:,-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
