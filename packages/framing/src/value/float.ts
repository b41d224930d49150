const BRAND: unique symbol = Symbol.for("parlance.float") as never;

/**
 * A number that is written as float64 even when it is whole, because JavaScript cannot tell
 * `1.0` from `1` and Python can.
 */
export class Float {
  readonly value: number;

  constructor(value: number) {
    if (typeof value !== "number") throw new TypeError(`new Float(${String(value)}): no number`);
    this.value = value;
  }

  valueOf(): number {
    return this.value;
  }

  toJSON(): number {
    return this.value;
  }
}

Object.defineProperty(Float.prototype, BRAND, { value: true });

/** True for a {@link Float}, also one made by another copy of this package. */
export function isFloat(value: object): value is Float {
  return (value as { [BRAND]?: boolean })[BRAND] === true;
}
