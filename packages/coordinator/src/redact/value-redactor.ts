import type { WireValue } from "@parlance/framing";
import type { SecretMasker } from "../logs/secret-masker.ts";
import { isSensitiveName } from "../logs/sensitive-name.ts";
import { PLACEHOLDER, placeholderOf, shapedPlaceholder } from "./placeholder.ts";

/** Texts below the masker's five characters that are replaced where they are a whole value. */
const MIN_WHOLE_CHARACTERS = 3;
const MIN_MASKED_CHARACTERS = 5;

/** Parts of lists, maps and JSON texts that are looked for later; each costs time with every text. */
const MAX_PARTS = 2_000;

/** How the fields of messages are called; a task may send others, a secret as a name too. */
const PROTOCOL_NAME = /^[a-z_]{1,40}$/;

/** Replaces one field in its own way; undefined leaves it to the general rules. */
export type FieldRule = (name: string, value: WireValue, at: string) => WireValue | undefined;

/**
 * Replaces secrets in values of the wire, keeps what holds none as it is, and notes the place of
 * each replacement as a JSON pointer.
 */
export class ValueRedactor {
  readonly #masker: SecretMasker;
  /** Secrets that are too short, or too usual, to be looked for inside of other texts. */
  readonly #whole = new Set<string>();
  readonly #parts = new Set<string>();

  constructor(masker: SecretMasker) {
    this.#masker = masker;
  }

  /** Known secrets and sensitive names replaced. */
  redact(value: WireValue, at: string, redacted: string[]): WireValue {
    if (typeof value === "string") return this.#text(value, at, redacted);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      let items: WireValue[] | undefined;
      for (const [index, item] of value.entries()) {
        const safe = this.redact(item, `${at}/${index}`, redacted);
        if (safe === item) continue;
        items ??= [...value];
        items[index] = safe;
      }
      return items ?? value;
    }
    return isPlainMap(value) ? this.map(value, at, redacted) : value;
  }

  /** {@link redact} of a map, with a rule for its own fields. */
  map(map: object, at: string, redacted: string[], rule?: FieldRule): WireValue {
    const source = map instanceof Map ? map : Object.entries(map);
    const isConnection =
      hasKey(map, "conn_id") && (hasKey(map, "password") || hasKey(map, "extra"));
    const entries: [WireValue, WireValue][] = [];
    let changed = false;
    for (const [key, value] of source as Iterable<[WireValue, WireValue]>) {
      const safeKey = typeof key === "string" ? this.#key(key, at, redacted, rule) : key;
      const place = `${at}/${escapePointer(String(safeKey))}`;
      const safe =
        (typeof key === "string" ? rule?.(key, value, place) : undefined) ??
        this.#field(key, value, place, redacted, isConnection);
      changed ||= safe !== value || safeKey !== key;
      entries.push([safeKey, safe]);
    }
    if (!changed) return map as WireValue;
    const unique = withUniqueKeys(entries);
    return map instanceof Map ? unique : (Object.fromEntries(unique) as WireValue);
  }

  /** Every leaf replaced by a placeholder; its texts (of a list or map the first ones) are secrets from now on. */
  hide(value: WireValue, at: string, redacted: string[]): WireValue {
    if (typeof value === "string") return this.hideText(value, PLACEHOLDER, at, redacted);
    return this.#hidePart(value, at, redacted);
  }

  #hidePart(value: WireValue, at: string, redacted: string[]): WireValue {
    if (typeof value === "string" && value !== "") this.#learnPart(value);
    if (Array.isArray(value)) {
      return value.map((item, index) => this.#hidePart(item, `${at}/${index}`, redacted));
    }
    if (typeof value === "object" && value !== null && isPlainMap(value)) {
      return this.map(value, at, redacted, (_key, item, place) =>
        this.#hidePart(item, place, redacted),
      );
    }
    const safe = placeholderOf(value) as WireValue;
    if (safe !== value) redacted.push(at);
    return safe;
  }

  /** A secret text, and the texts in it where it is JSON. */
  hideText(text: string, placeholder: string, at: string, redacted: string[]): WireValue {
    if (text === "") return text;
    this.#learn(text);
    if (placeholder !== PLACEHOLDER) this.#learnJson(text);
    redacted.push(at);
    return placeholder;
  }

  #field(
    key: WireValue,
    value: WireValue,
    at: string,
    redacted: string[],
    isConnection: boolean,
  ): WireValue {
    if (typeof key !== "string") return this.redact(value, at, redacted);
    if (isConnection && typeof value === "string") {
      if (key === "extra") return this.hideText(value, shapedPlaceholder(value), at, redacted);
      if (key === "login") {
        if (value.length >= MIN_WHOLE_CHARACTERS) this.#whole.add(value);
        redacted.push(at);
        return PLACEHOLDER;
      }
    }
    return isSensitiveName(key) ? this.hide(value, at, redacted) : this.redact(value, at, redacted);
  }

  /** Names of the protocol stay; others may hold a secret, and then the whole map is marked. */
  #key(key: string, at: string, redacted: string[], rule: FieldRule | undefined): string {
    if (rule !== undefined && PROTOCOL_NAME.test(key)) return key;
    const safe = this.#masker.maskText(key);
    if (safe !== key && redacted.at(-1) !== at) redacted.push(at);
    return safe;
  }

  #text(text: string, at: string, redacted: string[]): string {
    const safe = this.#whole.has(text) ? PLACEHOLDER : this.#masker.maskText(text);
    if (safe !== text) redacted.push(at);
    return safe;
  }

  #learn(text: string): void {
    this.#masker.add(text);
    if (text.length >= MIN_WHOLE_CHARACTERS && text.length < MIN_MASKED_CHARACTERS) {
      this.#whole.add(text);
    }
  }

  #learnPart(text: string): void {
    if (this.#parts.size >= MAX_PARTS || this.#parts.has(text)) return;
    this.#parts.add(text);
    this.#learn(text);
  }

  #learnJson(text: string): void {
    try {
      const learn = (value: unknown): void => {
        if (typeof value === "string") this.#learnPart(value);
        else if (typeof value === "object" && value !== null) Object.values(value).forEach(learn);
      };
      learn(JSON.parse(text));
    } catch {
      // a text that is no JSON, or too deep, has no parts
    }
  }
}

function isPlainMap(value: object): boolean {
  return value instanceof Map || Object.getPrototypeOf(value) === Object.prototype;
}

function hasKey(map: object, key: string): boolean {
  return map instanceof Map ? map.has(key) : Object.hasOwn(map, key);
}

/** Two keys that hold secrets may look the same now: neither value is lost. */
function withUniqueKeys(entries: readonly [WireValue, WireValue][]): Map<WireValue, WireValue> {
  const unique = new Map<WireValue, WireValue>();
  for (const [key, value] of entries) {
    let free = key;
    while (unique.has(free)) free = `${String(free)}*`;
    unique.set(free, value);
  }
  return unique;
}

/** A name as it stands in a JSON pointer (RFC 6901). */
export function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
