/** What a command may touch of the process it runs in; tests hand in their own. */
export interface CommandIo {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Aborts on Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
  /** Sets the exit code of a command that ends without an error, e.g. 1 for "not found". */
  setExitCode(code: number): void;
}

/** Writes and waits while the reader is slow. Resolves at once when the reader has gone. */
export async function write(
  stream: NodeJS.WritableStream,
  data: string | Uint8Array,
): Promise<void> {
  if (!stream.writable) return;
  await new Promise<void>((resolve) => {
    stream.write(data, () => resolve());
  });
}

/** One JSON document and a line end. */
export async function writeJson(stream: NodeJS.WritableStream, value: unknown): Promise<void> {
  await write(stream, `${JSON.stringify(value)}\n`);
}
