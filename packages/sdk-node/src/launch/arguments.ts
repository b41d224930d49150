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
  /** To print what a packer writes into a bundle. */
  | { readonly mode: "metadata" }
  /** With arguments that are none of these. */
  | { readonly mode: "wrong"; readonly problem: string }
  /** By hand, or as a library. */
  | { readonly mode: "none"; readonly problem: string };

/**
 * Reads the flags that a coordinator appends (`--comm=HOST:PORT --logs=HOST:PORT`, also with a
 * space, IPv6 in brackets) or that a packer uses (`--airflow-metadata`; `--describe-fd=N`,
 * `--describe` for stdout). Of a repeated flag the last counts; other words are left to the program.
 *
 * @param argv - as `process.argv`
 */
export function parseLaunchArguments(argv: readonly string[]): LaunchArguments {
  const words = argv.slice(1);
  const comm = lastValue(words, "--comm");
  const logs = lastValue(words, "--logs");
  const isTask = comm !== undefined || logs !== undefined;
  const asked = readQuestion(words);
  if (asked !== undefined) {
    const problem = "--comm and --logs start a task; no question goes with them";
    return isTask ? { mode: "wrong", problem } : asked;
  }
  if (!isTask) return { mode: "none", problem: "neither --comm nor --logs was given" };
  const commAddress = readAddress("--comm", comm);
  const logsAddress = readAddress("--logs", logs);
  if (typeof commAddress === "string") return { mode: "wrong", problem: commAddress };
  if (typeof logsAddress === "string") return { mode: "wrong", problem: logsAddress };
  return { mode: "task", comm: commAddress, logs: logsAddress };
}

/** What a packer, or a person, wants to know. */
function readQuestion(words: readonly string[]): LaunchArguments | undefined {
  if (words.includes("--airflow-metadata")) return { mode: "metadata" };
  if (words.includes("--describe")) return { mode: "describe", fd: 1 };
  const fd = lastValue(words, "--describe-fd");
  if (fd === undefined) return undefined;
  if (/^\d{1,9}$/.test(fd)) return { mode: "describe", fd: Number(fd) };
  return {
    mode: "wrong",
    problem: `--describe-fd got ${quote(fd)}, expected a descriptor's number`,
  };
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
  if (text === undefined) {
    const other = flag === "--comm" ? "--logs" : "--comm";
    return `${flag}=HOST:PORT is missing beside ${other}`;
  }
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
