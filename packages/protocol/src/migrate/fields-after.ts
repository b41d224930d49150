import { MIGRATIONS } from "../definitions/generated/migrations.ts";
import type { SchemaVersion } from "../schema-version.ts";

const cache = new Map<SchemaVersion, ReadonlySet<string>>();

/** `DEFINITION.FIELD` of what Airflow declares to have come after a version. */
export function fieldsAfter(version: SchemaVersion): ReadonlySet<string> {
  const cached = cache.get(version);
  if (cached !== undefined) return cached;
  const later = MIGRATIONS.filter((migration) => migration.version > version);
  const steps = later.flatMap(({ changes }) => changes).flatMap((change) => change.steps);
  const fields = new Set(steps.map(({ definition, field }) => `${definition}.${field}`));
  cache.set(version, fields);
  return fields;
}
