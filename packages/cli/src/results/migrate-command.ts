import { CliError, ExitCode } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import type { StoreFlags } from "./store-flags.ts";

/** Flags of `parlance results migrate`. */
export interface MigrateFlags extends StoreFlags {
  readonly check?: boolean;
  readonly print?: boolean;
  readonly dialect?: string;
}

/** `parlance results migrate` */
export async function migrateCommand(_flags: MigrateFlags, _io: CommandIo): Promise<void> {
  throw new CliError("internal", "migrate is not there yet", ExitCode.internal);
}
