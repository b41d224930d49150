import { MOST_LEVELS } from "../serializers/limits.ts";

/** Values that a small input may stand for when it names one value many times. */
const MOST_VALUES = 1_000_000;

/**
 * Watches over values that may be shared: refuses nesting beyond 1,000 levels, values that contain
 * themselves, and more than a million values (plus one a byte of input) once every repetition is
 * counted, which is what printing or copying them would cost.
 */
export class SharedValues {
  readonly #done = new Map<object, { readonly value: unknown; readonly size: number }>();
  readonly #open = new Set<object>();
  readonly #mostValues: number;
  #size = 0;

  constructor(inputSize: number) {
    this.#mostValues = MOST_VALUES + inputSize;
  }

  /**
   * The value made of `source`: by `make` the first time, the same one again after that.
   *
   * @throws RangeError
   */
  once(source: object, level: number, make: () => unknown): unknown {
    const known = this.#done.get(source);
    if (known !== undefined) {
      this.#grow(known.size);
      return known.value;
    }
    if (level >= MOST_LEVELS)
      throw new RangeError(`it is nested deeper than ${MOST_LEVELS} levels`);
    if (this.#open.has(source)) throw new RangeError("it holds a value that contains itself");
    this.#open.add(source);
    const before = this.#size;
    this.#grow(1);
    const value = make();
    this.#open.delete(source);
    this.#done.set(source, { value, size: this.#size - before });
    return value;
  }

  /** Counts values that are not shared. */
  count(values: number): void {
    this.#grow(values);
  }

  #grow(size: number): void {
    this.#size += size;
    if (this.#size > this.#mostValues) {
      throw new RangeError(`it stands for more than ${this.#mostValues} values`);
    }
  }
}
