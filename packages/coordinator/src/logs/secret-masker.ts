import type { LogRecord } from "./log-record.ts";

/** Parts of a name that make it sensitive, as in Airflow's own masker. */
const SENSITIVE_NAMES = [
  "access_token",
  "api_key",
  "apikey",
  "authorization",
  "keyfile_dict",
  "passphrase",
  "passwd",
  "password",
  "private_key",
  "proxies",
  "proxy",
  "secret",
  "service_account",
  "token",
];

const SENSITIVE_NAME = new RegExp(SENSITIVE_NAMES.join("|"), "i");
const MASK = "***";

/** Keys of a record that never name a secret; they are told apart to keep them quick. */
const PLAIN_KEYS = new Set(["timestamp", "level", "logger", "event"]);

/** Whether a field, a Variable or a key of an `extra` with this name holds a secret. */
export function isSensitiveName(name: string): boolean {
  return SENSITIVE_NAME.test(name);
}

/** The secrets of one attempt: what it has heard of is masked in every record after it. */
export class SecretMasker {
  readonly #secrets = new Set<string>();
  readonly #minLength: number;
  #pattern: RegExp | undefined;

  /** Shorter secrets are not masked: they would blot out half of every text. Default 5, as stock. */
  constructor(minLength = 5) {
    this.#minLength = minLength;
  }

  /**
   * Takes a secret: a text, or every text in a list or map. With a `name` that is not sensitive the
   * text is no secret; a map's keys are the names of its values. This is how Airflow reads MaskSecret.
   */
  add(secret: unknown, name?: string | null): void {
    if (typeof secret === "string") {
      if (name === undefined || name === null || name === "" || isSensitiveName(name)) {
        this.#addText(secret);
      }
    } else if (Array.isArray(secret)) {
      for (const item of secret) this.add(item, name);
    } else if (typeof secret === "object" && secret !== null) {
      for (const [key, value] of Object.entries(secret)) this.add(value, key);
    }
  }

  /** The record with every secret replaced by `***`; the same object where there was none. */
  mask(record: LogRecord): LogRecord {
    let masked: { [field: string]: unknown } | undefined;
    for (const key in record) {
      const value = record[key];
      const safe = PLAIN_KEYS.has(key) ? this.#maskValue(value) : this.#maskField(key, value);
      if (safe === value) continue;
      masked ??= { ...record };
      masked[key] = safe;
    }
    return (masked as LogRecord | undefined) ?? record;
  }

  /** A text with every secret replaced. */
  maskText(text: string): string {
    if (this.#secrets.size === 0) return text;
    this.#pattern ??= compile(this.#secrets);
    return text.replace(this.#pattern, MASK);
  }

  #addText(secret: string): void {
    if ([...secret].length < this.#minLength || this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    this.#pattern = undefined;
  }

  #maskField(key: string, value: unknown): unknown {
    return isSensitiveName(key) ? maskAll(value) : this.#maskValue(value);
  }

  #maskValue(value: unknown): unknown {
    if (typeof value === "string") return this.maskText(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#maskValue(item));
      return items.some((item, at) => item !== value[at]) ? items : value;
    }
    const entries = Object.entries(value);
    const masked = entries.map(([key, item]): [string, unknown] => [
      key,
      this.#maskField(key, item),
    ]);
    const changed = masked.some(([, item], at) => item !== entries[at]?.[1]);
    return changed ? Object.fromEntries(masked) : value;
  }
}

/** Texts and numbers under a sensitive name, whatever they are. */
function maskAll(value: unknown): unknown {
  if (typeof value === "string" || typeof value === "number") return MASK;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(maskAll);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskAll(item)]));
}

/** Longest first, so that a secret that begins with another one is masked whole. */
function compile(secrets: ReadonlySet<string>): RegExp {
  const escaped = [...secrets]
    .sort((left, right) => right.length - left.length)
    .map((secret) => secret.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  return new RegExp(escaped.join("|"), "g");
}
