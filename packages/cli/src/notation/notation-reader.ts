import type { Float } from "@parlance/framing";
import type { ExactJson } from "./exact-json.ts";
import { NotationError } from "./notation-error.ts";

/** An object with the key `$`, as it was parsed. */
export type Marked = ReadonlyMap<string, ExactJson>;

/** What JSON has itself, and is no container. */
export type Scalar = null | boolean | number | bigint | string | Float;

/** The value of one mark: the keys beside `$`, all needed, and what they make. */
export type Kind<Value> = readonly [
  keys: readonly string[],
  make: (marked: Marked, read: (json: ExactJson) => Value) => Value,
];

/** What values a {@link NotationReader} makes. */
export interface NotationValues<Value> {
  /** By mark: `int`, `float`, … */
  readonly kinds: Readonly<Record<string, Kind<Value>>>;
  readonly scalar: (scalar: Scalar) => Value;
  readonly list: (items: Value[]) => Value;
  /** Keys in the order of the text. */
  readonly object: (entries: Map<string, Value>) => Value;
}

/** Makes values of exact JSON in which an object with the key `$` stands for what JSON can't hold. */
export class NotationReader<Value> {
  readonly #values: NotationValues<Value>;

  constructor(values: NotationValues<Value>) {
    this.#values = values;
  }

  /** @throws NotationError */
  read(json: ExactJson): Value {
    if (Array.isArray(json)) {
      const items: Value[] = [];
      for (const item of json) items.push(this.read(item));
      return this.#values.list(items);
    }
    if (!(json instanceof Map)) return this.#values.scalar(json);
    if (json.has("$")) return this.#marked(json);
    const map = new Map<string, Value>();
    for (const [key, value] of json) map.set(key, this.read(value));
    return this.#values.object(map);
  }

  #marked(json: Marked): Value {
    const { kinds } = this.#values;
    const mark = json.get("$");
    const kind = typeof mark === "string" && Object.hasOwn(kinds, mark) ? kinds[mark] : undefined;
    if (kind === undefined) {
      const known = Object.keys(kinds).join(", ");
      throw new NotationError(
        `"$" is none of ${known}; a map with a key "$" is written as entries`,
      );
    }
    const [keys, make] = kind;
    for (const key of json.keys()) {
      if (key === "$" || keys.includes(key)) continue;
      throw new NotationError(`{"$":"${String(mark)}"} has no ${JSON.stringify(key)}`);
    }
    return make(json, (nested) => this.read(nested));
  }
}
