/**
 * A Python float, for where a JavaScript number does not say that it is one: `new PythonFloat(1)`
 * is written `1.0`, while `1` is written as the int `1`. Never needed for numbers with a fraction,
 * for NaN, infinities and -0, and for whole numbers beyond ±(2^53-1): those are floats anyway.
 */
export class PythonFloat {
  readonly value: number;

  /** @throws TypeError for anything but a number */
  constructor(value: number) {
    if (typeof value !== "number") {
      throw new TypeError(`new PythonFloat(${typeof value}): expected a number`);
    }
    this.value = value;
  }

  /** Lets `wrapped + 1` and `wrapped < 2` work as with the number itself. */
  valueOf(): number {
    return this.value;
  }

  toString(): string {
    return pythonFloatText(this.value);
  }

  /** `JSON.stringify` shows the number. */
  toJSON(): number {
    return this.value;
  }
}

/**
 * A float as Python's `repr` writes it: the same shortest digits as JavaScript's, but `.0` behind
 * whole ones, an exponent from 1e16 up and below 1e-4, of two digits at least. `nan`, `inf`, `-inf`.
 */
export function pythonFloatText(value: number): string {
  const text = `${value}`;
  const size = value < 0 ? -value : value;
  if (size >= 1e-4 && size < 1e16) return value % 1 === 0 ? `${text}.0` : text;
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  if (size === Number.POSITIVE_INFINITY) return value < 0 ? "-inf" : "inf";
  if (Number.isNaN(size)) return "nan";
  const scientific = text.includes("e") ? text : value.toExponential();
  const at = scientific.indexOf("e") + 2;
  return scientific.length - at > 1
    ? scientific
    : `${scientific.slice(0, at)}0${scientific.slice(at)}`;
}

/** Whether a JavaScript number stands for a Python int: a whole one up to ±(2^53-1), -0 apart. */
export function isPythonInt(value: number): boolean {
  return Number.isSafeInteger(value) && (value !== 0 || 1 / value > 0);
}
