import { jsonText } from "./json-text.ts";

/** What a command may touch of the process it runs in; tests hand in their own. */
export interface CommandIo {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Aborts on Ctrl-C, SIGTERM and SIGHUP: the command ends in order. */
  readonly signal: AbortSignal;
  /** Aborts on a second one: the command ends at once, and leaves nothing behind all the same. */
  readonly killSignal?: AbortSignal | undefined;
  /** Sets the exit code of a command that ends without an error, e.g. 1 for "not found". */
  setExitCode(code: number): void;
}

/**
 * Writes and waits while the reader is slow.
 *
 * @returns false when the reader has gone. A failed write tells it; `writable` alone does not,
 * because a process's stdout can't be destroyed and stays writable for ever.
 */
export async function write(
  stream: NodeJS.WritableStream,
  data: string | Uint8Array,
): Promise<boolean> {
  if (!stream.writable) return false;
  return new Promise<boolean>((resolve) => {
    stream.write(data, (error) => resolve(error == null));
  });
}

/** One JSON document and a line end. */
export async function writeJson(stream: NodeJS.WritableStream, value: unknown): Promise<void> {
  await write(stream, `${jsonText(value)}\n`);
}
