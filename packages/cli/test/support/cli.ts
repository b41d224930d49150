import { spawn } from "node:child_process";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";

/** The package's own folder: tests are started from dist-test. */
export const PACKAGE: string = fileURLToPath(new URL("../../", import.meta.url));

/** How a command line ended. */
export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** Interrupts (Ctrl-C) as soon as stderr contains this. */
  readonly interruptAt?: string;
}

type Main = (argv: readonly string[], io: object) => Promise<number>;

/** Runs a command line inside this process: the quick way, for all but streams and signals. */
export async function parlance(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  // The package has a bin and no exports, so the built file is reached by its place.
  const { main } = (await import(new URL("../../dist/main.js", import.meta.url).href)) as {
    main: Main;
  };
  const controller = new AbortController();
  const stdout = collect();
  const stderr = collect((text) => {
    if (options.interruptAt !== undefined && text.includes(options.interruptAt))
      controller.abort("SIGINT");
  });
  const stdin = new PassThrough();
  stdin.end(options.stdin ?? "");
  const code = await main(args, {
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: { ...process.env, ...options.env },
    cwd: options.cwd ?? PACKAGE,
    signal: controller.signal,
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** Runs the built `parlance` in a process of its own. */
export function spawnParlance(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [`${PACKAGE}bin/parlance.js`, ...args], {
      cwd: options.cwd ?? PACKAGE,
      env: { ...process.env, ...options.env },
    });
    const stdout = collect();
    let interrupted = false;
    const stderr = collect((text) => {
      if (options.interruptAt === undefined || interrupted) return;
      interrupted = text.includes(options.interruptAt);
      if (interrupted) child.kill("SIGINT");
    });
    child.stdout.pipe(stdout.stream);
    child.stderr.pipe(stderr.stream);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout: stdout.text(), stderr: stderr.text() }));
    child.stdin.on("error", () => {}); // the command may end without reading
    child.stdin.end(options.stdin ?? "");
  });
}

function collect(onText: (whole: string) => void = () => {}) {
  const chunks: Buffer[] = [];
  const text = () => Buffer.concat(chunks).toString("utf8");
  const stream = new PassThrough();
  stream.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    onText(text());
  });
  return { stream, text };
}

/** The error line that `--json` puts on stderr. */
export function errorOf(run: CliRun): { readonly code: string; readonly message: string } {
  const line = run.stderr.trim().split("\n").at(-1) ?? "";
  return (JSON.parse(line) as { error: { code: string; message: string } }).error;
}
