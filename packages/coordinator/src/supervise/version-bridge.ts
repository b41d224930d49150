import type { SchemaVersion } from "@parlance/protocol";
import { type MigrateOptions, migrateBody } from "@parlance/protocol/migrate";
import type { Body } from "./answers.ts";
import { MigrationError } from "./migration-error.ts";

/** Rewrites what goes between a supervisor and a runtime of an older schema version. */
export interface VersionBridge {
  /** A request as the supervisor's version has it: what the runtime's cannot say is at its default. */
  up(body: Body): Body;
  /** A message as the runtime's version has it: what came after it is left out. */
  down(body: Body): Body;
}

/**
 * Rewrites as the supervisor of Airflow 3.4.0b2 does for a runtime of 3.3: see `migrateBody`.
 *
 * Both ways throw {@link MigrationError}. A request that the supervisor's version takes for valid is
 * never refused on the way up.
 */
export function bridgeBetween(head: SchemaVersion, runtime: SchemaVersion): VersionBridge {
  const up = { from: runtime, to: head, direction: "to-supervisor" } as const;
  const down = { from: head, to: runtime, direction: "to-task" } as const;
  return { up: (body) => migrate(body, up), down: (body) => migrate(body, down) };
}

function migrate(body: Body, options: MigrateOptions): Body {
  const migration = migrateBody(body, options);
  if (migration.migrated) return migration.body;
  const { type = "the message", errors } = migration;
  const [first] = errors;
  const where = first === undefined ? "" : `: ${first.path || "body"} ${first.message}`;
  throw new MigrationError(`${type} can't be read as schema ${options.to}${where}`, errors);
}
