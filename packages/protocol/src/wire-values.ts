/**
 * A date-time as it comes off the wire, nothing lost: the structural twin of the class that
 * `@parlance/framing` decodes a MessagePack timestamp to. This package imports no other one,
 * so it names the shape; at run time such a value is known by an own or inherited property
 * `Symbol.for("parlance.timestamp")` that is `true`.
 */
export interface WireDateTime {
  /** Whole seconds since 1970-01-01T00:00:00Z; negative before. */
  readonly seconds: bigint;
  /** 0 to 999,999,999, always counted forward from `seconds`. */
  readonly nanoseconds: number;
  /** Cut to milliseconds. */
  toDate(): Date;
  toISOString(): string;
}

/**
 * Any value JSON can hold: null, booleans, text, numbers (bigint for wide ones), lists and
 * maps with text keys. Not bytes and not date-times, which stock Airflow refuses here. It
 * is `unknown` so that any value can be handed over; the validators judge it.
 */
export type JsonValue = unknown;

/** Which way a message travels: from the task's process to its supervisor, or back. */
export type Direction = "to-supervisor" | "to-task";
