import { SerializerError } from "../serializers/serializer-error.ts";
import type { ValueOptions } from "../serializers/value-options.ts";
import { DictBuilder } from "../values/dict-builder.ts";
import { SharedValues } from "../values/shared-values.ts";
import { PickleDict, PickleMachine, PickleSet } from "./pickle-machine.ts";

/**
 * Reads a pickle of plain data, protocols 2 to 5: None, booleans, numbers, text, bytes, lists, tuples
 * (as arrays), dicts (a Map where a key is no text), sets and frozensets (as `Set`). Nothing is
 * imported, called or built: a pickle that asks for it, which all exceptions, dates and Decimals do,
 * is refused with the name of what it wanted.
 *
 * @throws SerializerError `pickle-refused`; `cannot-decode` for a broken one, for a value that
 *   contains itself, over 1,000 levels, or over a million values once shared ones are counted anew
 */
export function readPickle(bytes: Uint8Array, options: ValueOptions = {}): unknown {
  try {
    const raw = new PickleMachine(bytes, options.wrapFloats === true).run();
    return new Builder(bytes.length, options).build(raw, 0);
  } catch (error) {
    if (error instanceof SerializerError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new SerializerError("cannot-decode", `The stored pickle can't be read: ${why}.`, {
      cause: error,
    });
  }
}

class Builder {
  readonly #shared: SharedValues;
  readonly #options: ValueOptions;

  constructor(inputSize: number, options: ValueOptions) {
    this.#shared = new SharedValues(inputSize);
    this.#options = options;
  }

  build(raw: unknown, level: number): unknown {
    if (Array.isArray(raw)) {
      return this.#shared.once(raw, level, () => this.#all(raw, level + 1));
    }
    if (raw instanceof PickleSet) {
      return this.#shared.once(raw, level, () => new Set(this.#all(raw.items, level + 1)));
    }
    if (raw instanceof PickleDict) {
      return this.#shared.once(raw, level, () => this.#dict(raw, level + 1));
    }
    return raw;
  }

  #all(items: readonly unknown[], level: number): unknown[] {
    this.#shared.count(items.length);
    return items.map((item) => this.build(item, level));
  }

  #dict({ entries }: PickleDict, level: number): unknown {
    this.#shared.count(entries.length);
    const dict = new DictBuilder(this.#options);
    for (const [key, value] of entries) dict.set(this.build(key, level), this.build(value, level));
    return dict.finish();
  }
}
