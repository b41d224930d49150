import { Command, CommanderError } from "commander";
import { registerBundle } from "./commands/bundle.ts";
import { registerCapabilities } from "./commands/capabilities.ts";
import { registerConformance } from "./commands/conformance.ts";
import { registerDag } from "./commands/dag.ts";
import { registerDev } from "./commands/dev.ts";
import { registerInit } from "./commands/init.ts";
import { registerLogs } from "./commands/logs.ts";
import { registerPack } from "./commands/pack.ts";
import { registerResults } from "./commands/results.ts";
import { registerRetry } from "./commands/retry.ts";
import { registerRun } from "./commands/run.ts";
import { registerSchema } from "./commands/schema.ts";
import { registerTypes } from "./commands/types.ts";
import { registerWire } from "./commands/wire.ts";
import { CliError, ExitCode } from "./errors.ts";
import type { CommandIo } from "./io.ts";
import { jsonText } from "./json-text.ts";
import { ownVersion } from "./own-version.ts";
import { ProcessIo } from "./process-io.ts";
import { escapeControls } from "./terminal-text.ts";

/** A function that adds one command (or a group of them) to the program. */
type RegisterCommand = (program: Command, io: CommandIo) => void;

const COMMANDS: readonly RegisterCommand[] = [
  registerInit,
  registerPack,
  registerRun,
  registerDev,
  registerTypes,
  registerDag,
  registerBundle,
  registerWire,
  registerSchema,
  registerLogs,
  registerConformance,
  registerCapabilities,
  registerResults,
  registerRetry,
];

/**
 * Runs one command line and resolves to its exit code; never rejects.
 *
 * @param argv - the words after `parlance`
 */
export async function main(
  argv: readonly string[],
  io: Omit<CommandIo, "setExitCode">,
): Promise<number> {
  let exitCode: number = ExitCode.ok;
  const fullIo: CommandIo = {
    ...io,
    setExitCode: (code) => {
      exitCode = code;
    },
  };
  const program = await createProgram(fullIo);
  try {
    await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (error) {
    return report(error, argv, fullIo);
  }
}

async function createProgram(io: CommandIo): Promise<Command> {
  const program = new Command("parlance")
    .description("A TypeScript toolkit for Airflow language SDKs (AIP-108)")
    .version(await ownVersion(), "--version", "print the version")
    // Commands have options of the same name: `schema check --version V`.
    .enablePositionalOptions()
    .helpOption("-h, --help", "show help")
    .helpCommand(false)
    .showSuggestionAfterError()
    .addHelpText(
      "after",
      "\nExit codes: 0 done; 1 what was checked or run failed; 2 wrong usage; 65 bad input data;\n" +
        "69 a service is not reachable; 70 a fault of parlance itself.",
    );
  for (const register of COMMANDS) register(program, io);
  confine(program, io);
  return program;
}

/** Keeps commander from writing to the process or ending it, in every sub-command. */
function confine(command: Command, io: CommandIo): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => void io.stdout.write(text),
    writeErr: () => {}, // reported once, by report()
  });
  if (command.commands.length > 0)
    command
      .allowExcessArguments()
      .allowUnknownOption() // it is the option of a command: which one is the question
      .action(() => wrongCommand(command, io));
  for (const child of command.commands) confine(child, io);
}

/** A group without one of its commands: help for nothing, an error for a word it does not know. */
function wrongCommand(group: Command, io: CommandIo): never {
  const { args } = group;
  const word = args.find((each) => !each.startsWith("-"));
  if (word === undefined && args.length > 0) {
    const message = `unknown option ${JSON.stringify(args[0])} without a command. See --help.`;
    throw new CliError("usage", message, ExitCode.usage);
  }
  if (word === undefined) {
    group.configureOutput({ writeErr: (text) => void io.stderr.write(text) });
    return group.help({ error: true });
  }
  const known = group.commands.map((command) => command.name());
  const fault = known.includes(word)
    ? `${JSON.stringify(args[0])} has to come after the command ${word}`
    : `There is no command ${JSON.stringify(word)}; known: ${known.join(", ")}`;
  throw new CliError("usage", `${fault}. See --help.`, ExitCode.usage);
}

function report(error: unknown, argv: readonly string[], io: CommandIo): number {
  const asJson = argv
    .slice(0, argv.includes("--") ? argv.indexOf("--") : argv.length)
    .includes("--json");
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return ExitCode.ok;
    if (error.code === "commander.help") return ExitCode.usage; // the help text is out already
    const message = error.message.replace(/^error: /, "").replace(/\.$/, "");
    return tell(new CliError("usage", `${message}. See --help.`, ExitCode.usage), asJson, io);
  }
  if (error instanceof CliError) return tell(error, asJson, io);
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return tell(new CliError("internal", text, ExitCode.internal), asJson, io);
}

function tell(error: CliError, asJson: boolean, io: CommandIo): number {
  const { code, message, details, exitCode } = error;
  io.stderr.write(
    asJson
      ? `${jsonText({ error: { ...details, code, message } })}\n`
      : `parlance: [${code}] ${escapeControls(message, { keepLineEnds: true })}\n`,
  );
  return exitCode;
}

/** The entry of the `bin`: this process's own streams, quiet when a pipe is closed. */
export async function runFromProcess(): Promise<void> {
  const own = new ProcessIo();
  own.end(await main(process.argv.slice(2), own.io));
}
