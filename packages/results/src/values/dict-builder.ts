import type { ValueOptions } from "../serializers/value-options.ts";

const INTEGER_KEY = /^(?:0|[1-9]\d{0,9})$/;
/** The largest text that an object sorts as an index. */
const MOST_INDEX = 2 ** 32 - 2;

/**
 * Collects the entries of a dict with text keys into an object: the last of equal keys wins, at the
 * place of the first, as in Python. With `keepKeyOrder` it becomes a Map where the object would show
 * another order.
 */
export class DictBuilder {
  readonly #object: Record<string, unknown> = {};
  readonly #keys: string[] | undefined;

  constructor(options: ValueOptions) {
    this.#keys = options.keepKeyOrder === true ? [] : undefined;
  }

  set(key: string, value: unknown): void {
    if (this.#keys !== undefined && !Object.hasOwn(this.#object, key)) this.#keys.push(key);
    if (key !== "__proto__") {
      this.#object[key] = value;
      return;
    }
    Object.defineProperty(this.#object, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }

  finish(): Record<string, unknown> | Map<string, unknown> {
    const keys = this.#keys;
    if (keys === undefined || !isReordered(keys)) return this.#object;
    return new Map(keys.map((key) => [key, this.#object[key]]));
  }
}

/** Whether an object shows keys, set in this order, in another one. */
function isReordered(keys: readonly string[]): boolean {
  let last = -1;
  for (const key of keys) {
    const index = INTEGER_KEY.test(key) ? Number(key) : MOST_INDEX + 1;
    if (index > MOST_INDEX) last = MOST_INDEX + 1;
    else if (index < last) return true;
    else last = index;
  }
  return false;
}
