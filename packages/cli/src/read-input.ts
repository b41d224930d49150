import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { CliError, ExitCode } from "./errors.ts";
import type { CommandIo } from "./io.ts";
import { signalExitCode } from "./signal-exit-code.ts";

/**
 * The bytes of a file, or of stdin without one, as they arrive. Ends early, with the exit code of
 * the signal, on Ctrl-C.
 *
 * @throws CliError `cannot-read` (65)
 */
export async function* readInput(
  io: CommandIo,
  file: string | undefined,
): AsyncGenerator<Uint8Array> {
  const isFile = file !== undefined && file !== "-";
  const source = isFile ? createReadStream(resolve(io.cwd, file)) : (io.stdin as Readable);
  const stop = (): void => {
    source.destroy();
    io.setExitCode(signalExitCode(io));
  };
  if (io.signal.aborted) return stop();
  io.signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const chunk of source) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  } catch (error) {
    if (io.signal.aborted) return;
    throw cannotRead(isFile ? file : "stdin", error);
  } finally {
    io.signal.removeEventListener("abort", stop);
  }
}

function cannotRead(name: string, cause: unknown): CliError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const why = code === "ENOENT" ? "there is no such file" : message;
  const text = `Cannot read ${name}: ${why}`;
  return new CliError("cannot-read", text, ExitCode.badInput, { file: name }, { cause });
}
