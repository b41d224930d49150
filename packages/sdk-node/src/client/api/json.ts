import type { JsonValue } from "../xcom-value.ts";

/** A JSON object to send; a property that is undefined is left out. */
export interface JsonMap {
  readonly [key: string]: JsonValue | undefined;
}

/**
 * A type whose values are JSON, interfaces included; in any other, what is none is replaced by a
 * text that says so.
 */
export type JsonStorable<T> = unknown extends T
  ? T
  : T extends JsonValue | undefined
    ? T
    : T extends NotJson
      ? "Only JSON can stand here: text, numbers, booleans, lists and plain objects"
      : { readonly [K in keyof T]: JsonStorable<T[K]> };

type NotJson =
  | Date
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | ArrayBuffer
  | ArrayBufferView
  | PromiseLike<unknown>
  | symbol
  | ((...args: never) => unknown);
