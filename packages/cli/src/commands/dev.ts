import { type Command, InvalidArgumentError, Option } from "commander";
import type { DevOptions } from "../dev/dev-options.ts";
import type { CommandIo } from "../io.ts";
import { wholeNumber } from "../option-values.ts";

interface Flags {
  readonly port: number;
  readonly host: DevOptions["host"];
  readonly store?: string;
  readonly seedStore?: string;
  readonly timeScale: number;
  readonly parallel?: number;
  readonly inheritEnv?: boolean;
  readonly open?: boolean;
  readonly json?: boolean;
}

/** `parlance dev` */
export function registerDev(program: Command, io: CommandIo): void {
  program
    .command("dev")
    .summary("a page over the Dags of a project: runs, logs, retries, frames")
    .description(
      "Serve a page for one person on this machine: Dags and tasks, runs as a grid, logs as they come, " +
        "the waits of retried tasks, frames; start runs, retry and cancel. Code is loaded again when it " +
        "changes. The address that is printed opens one session, within 10 minutes; Enter prints a new one.",
    )
    .argument("<target>", "the TypeScript file that calls serve(), or a packed bundle")
    .option("--port <n>", "the port (default: any free one)", wholeNumber(1, 65_535), 0)
    .addOption(
      new Option("--host <address>", "the loopback address")
        .choices(["127.0.0.1", "::1"])
        .default("127.0.0.1"),
    )
    .option("--store <file>", "a SQLite file that keeps runs, Variables, Connections and XComs")
    .option(
      "--seed-store <file>",
      "JSON with variables, connections and xcoms to put into the store first",
    )
    .option("--time-scale <x>", "waits of retries are multiplied by this; 0: at once", scale, 1)
    .option("--parallel <n>", "so many tasks at once (default: processors)", wholeNumber(1, 1_000))
    .option("--inherit-env", "hand on the whole environment to tasks, not the allow-list")
    .option("--open", "open the browser (default: with a terminal and a screen)")
    .option("--no-open", "leave the browser alone")
    .option("--json", 'print {"url":…} as the only line; opens no browser')
    .action(async (path: string, flags: Flags) => {
      const { devCommand } = await import("../dev/dev-command.ts");
      await devCommand(path, readFlags(flags), io);
    });
}

function readFlags(flags: Flags): DevOptions {
  return {
    port: flags.port,
    host: flags.host,
    store: flags.store,
    seedStore: flags.seedStore,
    timeScale: flags.timeScale,
    parallel: flags.parallel,
    inheritEnv: flags.inheritEnv === true,
    open: flags.open,
    json: flags.json === true,
  };
}

function scale(word: string): number {
  const value = /^\d+(?:\.\d+)?$/.test(word) ? Number(word) : Number.NaN;
  if (value >= 0 && value <= 1_000) return value;
  throw new InvalidArgumentError("It takes a number from 0 to 1000.");
}
