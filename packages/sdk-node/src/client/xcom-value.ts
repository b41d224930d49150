import type { Float, Timestamp } from "@parlance/framing";
import type { CalendarDate } from "../values/calendar-date.ts";
import type { Decimal } from "../values/decimal.ts";
import type { Duration } from "../values/duration.ts";
import type { PythonObject } from "../values/python-object.ts";
import type { TimeZone } from "../values/time-zone.ts";
import type { Uuid } from "../values/uuid.ts";

/** What JSON holds, integers of 64 bits, and numbers that must stay floats. */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/**
 * What an XCom may hold: JSON, integers of 64 bits, numbers that must stay floats, and values of
 * Python's classes: a Date or DateTime is a `datetime`, a Set a `set`, a Tuple a `tuple`, and so on.
 */
export type XComValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | Date
  | Timestamp
  | CalendarDate
  | Duration
  | Decimal
  | Uuid
  | TimeZone
  | PythonObject
  | Set<XComValue> // a Map would pass for a ReadonlySet
  | readonly XComValue[]
  | { readonly [key: string]: XComValue | undefined };

/** What a value of a type that no XCom holds is to be instead: the text that an editor shows. */
type Instead<T> =
  T extends ReadonlyMap<unknown, unknown>
    ? "An XCom holds no Map: store Object.fromEntries(map)"
    : T extends ArrayBuffer | ArrayBufferView
      ? "An XCom holds no bytes: store them as text, for example in base64"
      : T extends PromiseLike<unknown>
        ? "An XCom holds no Promise: await it"
        : T extends symbol | ((...args: never) => unknown)
          ? "An XCom holds plain data: no functions, symbols and class instances"
          : never;

/**
 * A type whose values an XCom can hold, interfaces included; in any other, what cannot be held is
 * replaced by a text that says so.
 */
export type XComStorable<T> = unknown extends T
  ? T
  : T extends XComValue | undefined
    ? T
    : T extends ReadonlyMap<unknown, unknown>
      ? Instead<T>
      : T extends ReadonlySet<infer Item>
        ? ReadonlySet<XComStorable<Item>>
        : [Instead<T>] extends [never]
          ? { readonly [K in keyof T]: XComStorable<T[K]> }
          : Instead<T>;
