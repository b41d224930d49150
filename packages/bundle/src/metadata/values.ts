/** A YAML float. Kept apart from integers, as Airflow does: `0.0` is no offset. */
export class YamlFloat {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** A YAML date without a time, e.g. what an unquoted `2026-06-16` is. */
export class YamlDate {
  /** `YYYY-MM-DD` */
  readonly iso: string;
  constructor(iso: string) {
    this.iso = iso;
  }
}

/** A YAML date-time; `aware` tells whether it has a zone. */
export class YamlDateTime {
  /** As Python's `isoformat`: 6 fraction digits or none, the zone as it was written. */
  readonly iso: string;
  readonly aware: boolean;
  /** Microseconds since 1970 in UTC, or in no zone: what Python compares. */
  readonly microseconds: bigint;
  constructor(iso: string, aware: boolean, microseconds: bigint) {
    this.iso = iso;
    this.aware = aware;
    this.microseconds = microseconds;
  }
}

/** A YAML `!!set`. */
export class YamlSet {
  readonly items: readonly MetadataValue[];
  constructor(items: readonly MetadataValue[]) {
    this.items = items;
  }
}

/**
 * Text with surrogate escapes (`"\ud83d\ude00"`). A YAML 1.1 reader in Python holds two lone
 * surrogates there, which equal no real text; so this is no JavaScript string, and is never found
 * as one.
 */
export class SurrogateText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** One value of a bundle's metadata, typed as Airflow's YAML reader types it. */
export type MetadataValue =
  | null
  | boolean
  /** an integer */
  | number
  /** an integer beyond ±(2^53 - 1) */
  | bigint
  | string
  | YamlFloat
  | YamlDate
  | YamlDateTime
  | YamlSet
  | SurrogateText
  | Uint8Array
  | readonly MetadataValue[]
  | MetadataMap;

/** A YAML map in the order it was written; text keys are strings. */
export type MetadataMap = ReadonlyMap<MetadataValue, MetadataValue>;

/** Whether a value is a YAML map. */
export function isMetadataMap(value: MetadataValue | undefined): value is MetadataMap {
  return value instanceof Map;
}
