import { CATALOGUE } from "../catalogue.ts";
import { definitionsOf } from "../definitions/definitions-of.ts";
import { isSchemaVersion, SCHEMA_VERSIONS, type SchemaVersion } from "../schema-version.ts";
import type { ValidationIssue } from "../validation/issues.ts";
import { kindOf, shown } from "../validation/kind-of.ts";
import { isMap } from "../validation/wire-kinds.ts";
import type { Direction } from "../wire-values.ts";
import { BodyReader } from "./body-reader.ts";
import { fieldsAfter } from "./fields-after.ts";
import { isFilledWhenSent } from "./stock-models.ts";

/** What {@link migrateBody} is to do. */
export interface MigrateOptions {
  /** The version that the body was written for. */
  readonly from: SchemaVersion;
  /** The version that its reader speaks. */
  readonly to: SchemaVersion;
  readonly direction: Direction;
  /**
   * What becomes of fields that are left out. `as-sent` (the default) is what stock's
   * supervisor does with this message: filled in with their defaults, but for seven answers
   * (`ConnectionResult`, `VariableResult` and five more). `fill` and `omit` say it outright.
   */
  readonly unset?: "as-sent" | "fill" | "omit" | undefined;
}

/** The migrated body, or what stands against it. */
export type Migration =
  | {
      readonly migrated: true;
      readonly type: string;
      readonly body: Readonly<Record<string, unknown>>;
    }
  | {
      readonly migrated: false;
      /** There when the body says one, also when no such message is known. */
      readonly type?: string;
      readonly errors: readonly ValidationIssue[];
    };

/** Stock's models have the shape of the newest version, whatever a body was written for. */
const NEWEST: SchemaVersion = "2026-10-30";

/** Longer text is no message's name and is not repeated. */
const MAX_TYPE_LENGTH = 64;

/**
 * Rewrites a body of one schema version for a reader of another, as the migrator of Airflow
 * 3.4.0b2 does between a head of 2026-10-30 and a runtime of 2026-06-16; also the other way
 * round, which Airflow cannot.
 *
 * The body is read by the newest version's models: new fields and new messages of an old
 * child are taken, unknown fields are dropped or refused as `validateBody` says, what is left
 * out is filled in, and scalars are read as laxly as stock reads them (`"1"` for 1). Date-times
 * come out as text in one form, timestamps of the wire as they are. Then the fields that came
 * after `to` are dropped; those without a migration step stay, see `parlance schema diff`. The
 * body is never changed, and unknown types, null and lists are refused, not thrown.
 *
 * @throws RangeError for a version that is not known here; the message names those that are
 */
export function migrateBody(body: unknown, options: MigrateOptions): Migration {
  const { from, to, direction } = options;
  demandVersion(from, "from");
  demandVersion(to, "to");
  if (!isMap(body)) return refused("", `expected a map with a type, got ${kindOf(body)}`);
  const type = body["type"];
  if (type === undefined) return refused("/type", "is missing");
  if (typeof type !== "string" || type.length > MAX_TYPE_LENGTH) {
    return refused("/type", `expected the name of a message, got ${kindOf(type)}`);
  }
  if (!CATALOGUE[NEWEST][direction].includes(type)) {
    return {
      ...refused(
        "/type",
        `expected a message that goes ${direction}, got ${told(type, direction)}`,
      ),
      type,
    };
  }
  if (!CATALOGUE[to][direction].includes(type)) {
    return { ...refused("/type", `schema ${to} has no ${type}, which came later`), type };
  }
  return read(type, body, options);
}

function read(
  type: string,
  body: Readonly<Record<string, unknown>>,
  { to, direction, unset = "as-sent" }: MigrateOptions,
): Migration {
  const isSent = direction === "to-task";
  const reader = new BodyReader({
    definitions: definitionsOf(NEWEST),
    dropped: fieldsAfter(to),
    fillsDefaults: unset === "as-sent" ? !isSent || isFilledWhenSent(type) : unset === "fill",
    allowsNull: isSent,
  });
  const result = reader.readMessage(type, body);
  const { issues } = reader;
  const isSentToOlder = issues.length === 0 && to !== NEWEST;
  const errors = isSentToOlder ? connectionFaults(type, result) : issues;
  return errors.length === 0
    ? { migrated: true, type, body: result }
    : { migrated: false, type, errors };
}

/** Stock's migrator loses the schema of a connection on the way and then misses it. */
function connectionFaults(
  type: string,
  { ti_context }: Readonly<Record<string, unknown>>,
): ValidationIssue[] {
  if (type !== "StartupDetails" || !isMap(ti_context)) return [];
  const { connections } = ti_context;
  if (!Array.isArray(connections)) return [];
  const message =
    "is lost in stock's migration, so that connections cannot be sent to an older version";
  return connections.map((_, index) => ({
    path: `/ti_context/connections/${index}/schema`,
    message,
  }));
}

function demandVersion(version: unknown, name: string): void {
  if (isSchemaVersion(version)) return;
  const known = SCHEMA_VERSIONS.join(", ");
  throw new RangeError(
    `migrateBody: ${name} is ${shown(version)}, which is no schema version known here; known: ${known}`,
  );
}

function told(type: string, direction: Direction): string {
  const back = direction === "to-task" ? "to-supervisor" : "to-task";
  const goesBack = CATALOGUE[NEWEST][back].includes(type);
  return JSON.stringify(type) + (goesBack ? `, which goes ${back}` : "");
}

function refused(path: string, message: string): { migrated: false; errors: ValidationIssue[] } {
  return { migrated: false, errors: [{ path, message }] };
}
