import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Capabilities, CapabilitiesError, readCapabilities } from "@parlance/conformance";
import { CliError, ExitCode } from "../errors.ts";
import type { CommandIo } from "../io.ts";

/**
 * Reads a `capabilities.yaml`.
 *
 * @throws CliError `cannot-read`, and `bad-capabilities` with every problem in `problems` (65)
 */
export async function readCapabilitiesFile(file: string, io: CommandIo): Promise<Capabilities> {
  let text: string;
  try {
    text = await readFile(resolve(io.cwd, file), "utf8");
  } catch (cause) {
    const message = `Cannot read ${file}: ${(cause as Error).message}`;
    throw new CliError("cannot-read", message, ExitCode.badInput, { file }, { cause });
  }
  try {
    return readCapabilities(text);
  } catch (cause) {
    if (!(cause instanceof CapabilitiesError)) throw cause;
    const { problems } = cause;
    const lines = problems.map(({ path, message }) => `  ${path || "the file"}: ${message}`);
    const message = `${file} is no valid capabilities.yaml:\n${lines.join("\n")}`;
    throw new CliError(
      "bad-capabilities",
      message,
      ExitCode.badInput,
      { file, problems },
      { cause },
    );
  }
}
