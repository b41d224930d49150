/** Where to connect. */
export interface Address {
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
}

/** What a process was started for. */
export type LaunchArguments =
  | { readonly mode: "task"; readonly comm: Address; readonly logs: Address }
  /** To say which tasks there are, on this descriptor. */
  | { readonly mode: "describe"; readonly fd: number }
  /** By hand, or as a library. */
  | { readonly mode: "none"; readonly problem: string };

/**
 * Reads the flags that a coordinator appends (`--comm=HOST:PORT --logs=HOST:PORT`, also with a
 * space, IPv6 in brackets) or that a packer uses (`--describe-fd=N`, `--describe` for stdout).
 * Of a repeated flag the last counts; other words are left to the program.
 *
 * @param argv - as `process.argv`
 */
export function parseLaunchArguments(argv: readonly string[]): LaunchArguments {
  const words = argv.slice(1);
  if (words.includes("--describe")) return { mode: "describe", fd: 1 };
  const fd = lastValue(words, "--describe-fd");
  if (fd !== undefined) {
    return /^\d{1,9}$/.test(fd)
      ? { mode: "describe", fd: Number(fd) }
      : { mode: "none", problem: `--describe-fd got ${quote(fd)}, expected a descriptor's number` };
  }
  const comm = lastValue(words, "--comm");
  const logs = lastValue(words, "--logs");
  if (comm === undefined && logs === undefined) {
    return { mode: "none", problem: "neither --comm nor --logs was given" };
  }
  const commAddress = readAddress("--comm", comm);
  const logsAddress = readAddress("--logs", logs);
  if (typeof commAddress === "string") return { mode: "none", problem: commAddress };
  if (typeof logsAddress === "string") return { mode: "none", problem: logsAddress };
  return { mode: "task", comm: commAddress, logs: logsAddress };
}

/** For a person who started a task program by hand. */
export function usageText(problem: string): string {
  return (
    `This program runs Airflow tasks; a coordinator starts it, with --comm=HOST:PORT and --logs=HOST:PORT (${problem}).\n` +
    "To try its tasks here: parlance run ENTRY --dag DAG\n" +
    "To list them:          add --describe to this command\n"
  );
}

function lastValue(words: readonly string[], flag: string): string | undefined {
  for (let index = words.length - 1; index >= 0; index--) {
    const word = words[index] ?? "";
    if (word.startsWith(`${flag}=`)) return word.slice(flag.length + 1);
    if (word === flag) return words[index + 1] ?? "";
  }
  return undefined;
}

/** The address, or what is wrong with it. */
function readAddress(flag: string, text: string | undefined): Address | string {
  if (text === undefined) return `${flag} is missing`;
  const [, v6, plain, digits] = /^(?:\[([^\]]+)\]|([^:\s=-][^:\s=]*)):(\d{1,5})$/.exec(text) ?? [];
  const host = v6 ?? plain;
  const port = Number(digits);
  if (host === undefined || port < 1 || port > 65_535) {
    return `${flag} got ${quote(text)}, expected HOST:PORT`;
  }
  return { host, port };
}

function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
