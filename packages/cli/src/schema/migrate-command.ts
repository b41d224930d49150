import type { WireValue } from "@parlance/framing";
import type { Direction, SchemaVersion } from "@parlance/protocol";
import { type MigrateOptions, migrateBody } from "@parlance/protocol/migrate";
import { ExitCode } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import { emitJson } from "../json-text.ts";
import { ValuePrinter } from "../wire/value-printer.ts";
import { answerBodies } from "./read-bodies.ts";

/** Flags of `parlance schema migrate`. */
export interface MigrateFlags {
  readonly from: SchemaVersion;
  readonly to: SchemaVersion;
  readonly direction: Direction;
  readonly unset: NonNullable<MigrateOptions["unset"]>;
}

/**
 * Prints each body as a reader of another version is sent it. In place of one that cannot be
 * migrated stands an object with the one key `error`; the exit code is then 1.
 */
export async function migrateCommand(
  file: string | undefined,
  { from, to, direction, unset }: MigrateFlags,
  io: CommandIo,
): Promise<void> {
  await answerBodies(io, file, (body, emit) => {
    const migration = migrateBody(body, { from, to, direction, unset });
    if (migration.migrated) {
      new ValuePrinter(emit).print(migration.body as WireValue);
      return;
    }
    io.setExitCode(ExitCode.failed);
    const { type, errors } = migration;
    const [first] = errors;
    const message = `${type ?? "the body"} cannot be migrated: ${first?.path} ${first?.message}`;
    emitJson({ error: { code: "cannot-migrate", message, type, errors } }, emit);
  });
}
