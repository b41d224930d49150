import { describe, RetryError } from "../errors.ts";
import { checkMicroseconds, type Microseconds } from "../time/duration.ts";
import { Instant, type InstantInput } from "../time/instant.ts";
import { TaskResourceError } from "./task-resource-error.ts";

/** Reads the fields of one map, each with its default; a field that is absent or null has it. */
export class FieldReader {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #path: string;

  constructor(fields: unknown, path: string) {
    if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
      throw badDag(path, `got ${describe(fields)}; expected an object`);
    }
    this.#fields = fields as Readonly<Record<string, unknown>>;
    this.#path = path;
  }

  text<Default>(name: string, byDefault: Default): string | Default {
    return this.#read(name, byDefault, (value) => {
      return typeof value === "string" ? value : this.#refuse(name, value, "text");
    });
  }

  flag(name: string): boolean {
    return this.#read(name, false, (value) => {
      return typeof value === "boolean" ? value : this.#refuse(name, value, "true or false");
    });
  }

  whole(name: string, byDefault: number, least: number = Number.NEGATIVE_INFINITY): number {
    return this.#read(name, byDefault, (value) => {
      if (typeof value === "number" && Number.isInteger(value) && value >= least) {
        return value + 0; // never -0, which Python's ints do not have
      }
      const expected = least > 0 ? `a whole number from ${least} on` : "a whole number";
      return this.#refuse(name, value, expected);
    });
  }

  microseconds<Default>(name: string, byDefault: Default): bigint | Default {
    return this.#read(name, byDefault, (value) => {
      return this.#convert(name, () => BigInt(checkMicroseconds(value as Microseconds, name)));
    });
  }

  instant(name: string): Instant | null {
    return this.#read(name, null, (value) => {
      return this.#convert(name, () => Instant.from(value as InstantInput).toUtc());
    });
  }

  texts(name: string): readonly string[] {
    return this.#read(name, [] as readonly string[], (value) => {
      const isList = Array.isArray(value) && value.every((item) => typeof item === "string");
      return isList ? (value as string[]) : this.#refuse(name, value, "a list of texts");
    });
  }

  /** Whatever stands there, undefined for null. */
  raw(name: string): unknown {
    return this.#fields[name] ?? undefined;
  }

  #read<T, Default>(name: string, byDefault: Default, read: (value: unknown) => T): T | Default {
    const value = this.#fields[name];
    return value === undefined || value === null ? byDefault : read(value);
  }

  #convert<T>(name: string, convert: () => T): T {
    try {
      return convert();
    } catch (error) {
      if (!(error instanceof RetryError)) throw error;
      throw badDag(`${this.#path}.${name}`, error.message, { cause: error });
    }
  }

  #refuse(name: string, value: unknown, expected: string): never {
    throw badDag(`${this.#path}.${name}`, `got ${describe(value)}; expected ${expected}`);
  }
}

/** An error at this place of a Dag description. */
export function badDag(path: string, message: string, options?: ErrorOptions): TaskResourceError {
  return new TaskResourceError("bad-dag", path, message, options);
}
