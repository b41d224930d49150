/*
 * How Airflow wraps what JSON has no form for, in its keys `__classname__`, `__version__` and
 * `__data__`. The versions are those that Airflow 3.3.2 and 3.4.0b2 write; golden/serde has both.
 */

/** The keys of a wrapped value. */
export const CLASS_NAME = "__classname__";
export const VERSION = "__version__";
export const DATA = "__data__";
/** The keys of before Airflow 2.6, which its readers still know. */
export const OLD_TYPE = "__type";
export const OLD_DATA = "__var";

/** A wrapped value. */
export interface Envelope {
  readonly __classname__: string;
  readonly __version__: number;
  readonly __data__: unknown;
}

export function envelope(className: string, version: number, data: unknown): Envelope {
  return { [CLASS_NAME]: className, [VERSION]: version, [DATA]: data };
}
