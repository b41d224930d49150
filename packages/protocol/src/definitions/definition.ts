/**
 * One node of a supervisor schema (JSON Schema 2020-12): a message, a part of one, or a
 * field. Only the keywords that Airflow's schema files use; prose is not kept.
 */
export interface Definition {
  /** `#/$defs/NAME`, a definition of the same version. */
  readonly $ref?: string;
  /** A list only in JsonValue. */
  readonly type?: string | readonly string[];
  readonly format?: "date-time" | "duration" | "path" | "uuid";
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Definition[];
  readonly oneOf?: readonly Definition[];
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping: { readonly [tag: string]: string };
  };
  readonly items?: Definition;
  readonly prefixItems?: readonly Definition[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly properties?: { readonly [name: string]: Definition };
  readonly required?: readonly string[];
  /** Of values whose keys are not named; false: a map that refuses unknown fields. */
  readonly additionalProperties?: boolean | Definition;
  readonly default?: unknown;
}

/** The definitions of one schema version by name. */
export interface Definitions {
  readonly [name: string]: Definition;
}

/** A field that came with a version: the older ones do not have it. */
export interface MigrationStep {
  readonly kind: "did-not-exist";
  /** The definition that declares the field, or inherits it. */
  readonly definition: string;
  readonly field: string;
}

/** Steps that Airflow declares together, under one name of its own. */
export interface MigrationChange {
  readonly name: string;
  readonly steps: readonly MigrationStep[];
}

/** What lies between two versions next to each other; the steps work both ways. */
export interface MigrationVersion {
  /** The newer one. */
  readonly version: string;
  /** The older one. */
  readonly previous: string;
  readonly changes: readonly MigrationChange[];
}
