import type { Direction, SchemaVersion } from "@parlance/protocol";
import { validateBody } from "@parlance/protocol/validate";
import { ExitCode } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import { emitJson } from "../json-text.ts";
import { answerBodies } from "./read-bodies.ts";

/** Flags of `parlance schema check`. */
export interface CheckFlags {
  readonly version: SchemaVersion;
  readonly direction: Direction;
}

/** Prints a verdict on each body; the exit code is 1 where one is not valid. */
export async function checkCommand(
  file: string | undefined,
  { version, direction }: CheckFlags,
  io: CommandIo,
): Promise<void> {
  await answerBodies(io, file, (body, emit) => {
    const verdict = validateBody(version, direction, body);
    if (!verdict.valid) io.setExitCode(ExitCode.failed);
    emitJson(verdict, emit);
  });
}
