/**
 * The dated versions of Airflow's supervisor schema that are known here: 2026-06-16 came
 * with Airflow 3.3, 2026-10-30 with 3.4 (read from its second beta).
 */
export const SCHEMA_VERSIONS = ["2026-06-16", "2026-10-30"] as const;

/** One of {@link SCHEMA_VERSIONS}. */
export type SchemaVersion = (typeof SCHEMA_VERSIONS)[number];

/** What a bundle speaks unless told otherwise: the one version that 3.3 and 3.4 both run. */
export const DEFAULT_SCHEMA_VERSION: SchemaVersion = "2026-06-16";

/** True for exactly the texts of {@link SCHEMA_VERSIONS}; a date object is none. */
export function isSchemaVersion(text: unknown): text is SchemaVersion {
  return (SCHEMA_VERSIONS as readonly unknown[]).includes(text);
}
