import type { DdlDialect } from "../schema/ddl.ts";
import type { SchemaChange } from "../schema/plan-changes.ts";
import type { ServerDialect } from "../schema/set-up.ts";

/** What a migration is asked for. */
export interface MigrateOptions {
  /** Only says what is missing; changes nothing. */
  readonly check?: boolean | undefined;
  /**
   * Makes the binary columns of MySQL and MariaDB `LONGBLOB` (4 GiB instead of 64 KiB). The server
   * copies the tables for it and keeps writers waiting meanwhile.
   */
  readonly largeValues?: boolean | undefined;
  /** Told of each change that was made. */
  readonly onChange?: ((change: SchemaChange) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A change that could not be made; the store works without it. */
export interface FailedChange {
  readonly change: SchemaChange;
  /** In a sentence, with the statement to run by hand. */
  readonly reason: string;
}

/** What a migration found and did. */
export interface MigrationReport {
  readonly dialect: ServerDialect;
  /** With `check`: what the tables lack. */
  readonly missing: readonly SchemaChange[];
  /** Without: what was made, in order. */
  readonly made: readonly SchemaChange[];
  readonly failed: readonly FailedChange[];
}

/** The statements that make both tables in an empty database. */
export interface PrintedTables {
  readonly dialect: DdlDialect;
  /** One statement each, in order, without a closing semicolon. */
  readonly statements: readonly string[];
}
