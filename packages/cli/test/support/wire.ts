import { PassThrough, Readable } from "node:stream";
import { main } from "../../dist/main.js";

/** What one run of the command left behind. */
export interface WireRun {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs `parlance wire …` in this process with these bytes on stdin, in pieces of `pieceBytes`. */
export async function wire(
  argv: readonly string[],
  stdin: Uint8Array | string = "",
  options: { readonly cwd?: string; readonly pieceBytes?: number } = {},
): Promise<WireRun> {
  const input = Buffer.from(stdin);
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const output = collect(stdout);
  const errors = collect(stderr);
  const code = await main(["wire", ...argv], {
    stdin: Readable.from(pieces(input, options.pieceBytes ?? 65_536)),
    stdout,
    stderr,
    env: {},
    cwd: options.cwd ?? "/",
    signal: new AbortController().signal,
  });
  stdout.end();
  stderr.end();
  return { code, stdout: await output, stderr: (await errors).toString() };
}

/** The code that a failed run printed with `--json`. */
export function codeOf(run: WireRun): string {
  return (JSON.parse(run.stderr) as { error: { code: string } }).error.code;
}

/** The lines that a run printed, as JSON. */
export function linesOf<Line>(run: WireRun): Line[] {
  return run.stdout
    .toString()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

/** A frame of this payload. */
export function frame(payloadHex: string): Buffer {
  const payload = Buffer.from(payloadHex, "hex");
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(payload.length);
  return Buffer.concat([prefix, payload]);
}

function* pieces(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect(stream: PassThrough): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
