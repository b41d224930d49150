import type { ValueOptions } from "../serializers/value-options.ts";
import { keyToken } from "./python-equal.ts";

const INTEGER_KEY = /^(?:0|[1-9]\d{0,9})$/;
/** The largest text that an object sorts as an index. */
const MOST_INDEX = 2 ** 32 - 2;

/**
 * Collects the entries of a dict. Of equal keys the first stays and the last value wins, as in
 * Python. Text keys make an object; any other key makes a Map, and so does, with `keepKeyOrder`, an
 * order that an object can't show.
 */
export class DictBuilder {
  readonly #object: Record<string, unknown> = {};
  readonly #keepKeyOrder: boolean;
  readonly #keys: string[] = [];
  #map: Map<unknown, unknown> | undefined;
  #known: Map<string, unknown> | undefined;

  constructor(options: ValueOptions) {
    this.#keepKeyOrder = options.keepKeyOrder === true;
  }

  set(key: unknown, value: unknown): void {
    if (this.#map !== undefined || typeof key !== "string") this.#setAny(key, value);
    else this.#setText(key, value);
  }

  #setText(key: string, value: unknown): void {
    if (!Object.hasOwn(this.#object, key)) this.#keys.push(key);
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

  finish(): Record<string, unknown> | Map<unknown, unknown> {
    if (this.#map !== undefined) return this.#map;
    if (this.#keepKeyOrder && isReordered(this.#keys)) return this.#toMap();
    return this.#object;
  }

  #toMap(): Map<unknown, unknown> {
    return new Map<unknown, unknown>(this.#keys.map((key) => [key, this.#object[key]]));
  }

  #setAny(key: unknown, value: unknown): void {
    this.#map ??= this.#toMap();
    this.#known ??= new Map([...this.#map.keys()].map((known) => [`s${known}`, known]));
    const token = keyToken(key);
    if (token === undefined) {
      this.#map.set(key, value);
      return;
    }
    const first = this.#known.has(token) ? this.#known.get(token) : key;
    this.#known.set(token, first);
    this.#map.set(first, value);
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
