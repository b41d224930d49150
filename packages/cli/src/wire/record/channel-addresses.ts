import { CliError, ExitCode } from "../../errors.ts";

/** Where a coordinator listens. */
export interface ChannelAddress {
  readonly host: string;
  readonly port: number;
}

/** A command line as a coordinator gives it, taken apart. */
export interface CoordinatorCommand {
  /** The runtime's own. */
  readonly argv: readonly string[];
  readonly comm: ChannelAddress;
  readonly logs: ChannelAddress;
}

/**
 * Takes the last `--comm=HOST:PORT` and `--logs=HOST:PORT` off a command line: a coordinator appends
 * them to whatever it starts.
 *
 * @throws CliError 2 `usage`
 */
export function readCoordinatorCommand(words: readonly string[]): CoordinatorCommand {
  const argv = [...words];
  const take = (name: "comm" | "logs"): ChannelAddress => {
    const at = argv.findLastIndex((word) => word.startsWith(`--${name}=`));
    const [word] = at < 1 ? [] : argv.splice(at, 1);
    const parts = /^--\w+=(.+):(\d{1,5})$/.exec(word ?? "");
    if (parts !== null && Number(parts[2]) < 65_536) {
      const host = (parts[1] as string).replace(/^\[(.*)\]$/, "$1");
      return { host, port: Number(parts[2]) };
    }
    throw new CliError(
      "usage",
      `wire record: there is no --${name}=HOST:PORT behind the command${word === undefined ? "" : ` (${word})`}. ` +
        "A coordinator has to start it: give it `parlance wire record --out FILE -- ARGV…` as the runtime. See --help.",
      ExitCode.usage,
    );
  };
  const [comm, logs] = [take("comm"), take("logs")];
  return { argv, comm, logs };
}
