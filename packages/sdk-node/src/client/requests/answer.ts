import { Timestamp, type WireMap } from "@parlance/framing";
import { badAnswer } from "../requester.ts";
import type { JsonValue } from "../xcom-value.ts";

/**
 * Reads an answer, or a map in it, field by field; what may be null may be left out too. Each
 * call throws SupervisorError `bad-answer` where the field is another thing.
 */
export class Answer {
  readonly #request: string;
  readonly #body: WireMap;

  /** @param request - type of the message that was answered */
  constructor(request: string, body: WireMap) {
    this.#request = request;
    this.#body = body;
  }

  text(key: string): string {
    return this.textOrNull(key) ?? this.#missing(key, "text");
  }

  textOrNull(key: string): string | null {
    const value = this.#value(key);
    if (value === null || typeof value === "string") return value;
    throw this.#wrong(key, "text");
  }

  number(key: string): number {
    return this.numberOrNull(key) ?? this.#missing(key, "number");
  }

  numberOrNull(key: string): number | null {
    const value = this.#value(key);
    if (value === null || typeof value === "number") return value;
    throw this.#wrong(key, "number");
  }

  flag(key: string): boolean {
    const value = this.#value(key);
    if (typeof value === "boolean") return value;
    throw this.#wrong(key, "boolean");
  }

  date(key: string): Timestamp {
    return this.dateOrNull(key) ?? this.#missing(key, "date-time");
  }

  dateOrNull(key: string): Timestamp | null {
    const value = this.#value(key);
    if (value === null || value instanceof Timestamp) return value;
    // The server's own text in places that the supervisor hands on as they are; always with a zone.
    if (typeof value === "string") {
      try {
        return Timestamp.parse(value);
      } catch {
        throw this.#wrong(key, "date-time");
      }
    }
    throw this.#wrong(key, "date-time");
  }

  /** JSON as it is; an empty map when there is none. */
  json(key: string): { readonly [key: string]: JsonValue } {
    const value = this.#value(key) ?? {};
    if (isMap(value)) return value as { readonly [key: string]: JsonValue };
    throw this.#wrong(key, "map");
  }

  part(key: string): Answer {
    return this.partOrNull(key) ?? this.#missing(key, "map");
  }

  partOrNull(key: string): Answer | null {
    const value = this.#value(key);
    if (value === null) return null;
    if (isMap(value)) return new Answer(this.#request, value);
    throw this.#wrong(key, "map");
  }

  /** An empty list when there is none. */
  parts(key: string): readonly Answer[] {
    return this.list(key).map((item) => {
      if (isMap(item)) return new Answer(this.#request, item);
      throw this.#wrong(key, "list of maps");
    });
  }

  /** An empty list when there is none. */
  list(key: string): readonly unknown[] {
    const value = this.#value(key) ?? [];
    if (Array.isArray(value)) return value;
    throw this.#wrong(key, "list");
  }

  #value(key: string): unknown {
    return this.#body[key] ?? null;
  }

  #missing(key: string, kind: string): never {
    throw this.#wrong(key, kind);
  }

  #wrong(key: string, kind: string): Error {
    return badAnswer(this.#request, `no ${kind} in ${key}`);
  }
}

function isMap(value: unknown): value is WireMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
