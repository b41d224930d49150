import type { FrameId, WireValue } from "@parlance/framing";
import { CATALOGUE, type Direction, ERROR_TYPES, SCHEMA_VERSIONS } from "@parlance/protocol";
import { isLevelWord } from "../logs/read-log-line.ts";
import { SecretMasker } from "../logs/secret-masker.ts";
import { isSensitiveName } from "../logs/sensitive-name.ts";
import { shapedPlaceholder } from "./placeholder.ts";
import { ValueRedactor } from "./value-redactor.ts";

/** @see FrameRedactor */
export interface FrameRedactorOptions {
  /** Show the values of Variables whose names are not sensitive. Default false. */
  readonly keepPlainVariables?: boolean;
}

/** A frame as it is decoded, its maps either plain objects or Maps with text keys. */
export interface RedactableFrame {
  readonly direction: Direction;
  readonly id: FrameId;
  readonly body: unknown;
  /** The carrier or the error. */
  readonly third: unknown;
}

/** A frame that may be shown. */
export interface RedactedFrame {
  readonly body: unknown;
  readonly third: unknown;
  /** Where something was replaced: JSON pointers from the frame on, `/body/…` or `/carrier/…`. */
  readonly redacted: readonly string[];
}

/** Fields that hold words of the protocol, which are no secrets even where a Variable has the same text. */
const WORD_FIELDS: ReadonlySet<string> = new Set(["type", "state", "error"]);

/** Those words; whatever else a task sends in their place is a text like any other. */
const WORDS: ReadonlySet<string> = new Set([
  ...SCHEMA_VERSIONS.flatMap((version) => Object.values(CATALOGUE[version]).flat()),
  ...ERROR_TYPES,
  ...["scheduled", "queued", "running", "success", "restarting", "failed", "removed", "skipped"],
  ...["up_for_retry", "up_for_reschedule", "upstream_failed", "deferred", "awaiting_input"],
]);

/** Requests for secrets that were never answered; more are forgotten. */
const MAX_OPEN_REQUESTS = 10_000;

/**
 * Replaces the secrets of one attempt in its frames and log lines by placeholders of the same type.
 *
 * Secret are login, password and `extra` of Connections; the values of Variables; what MaskSecret
 * names; and every value under a name that is sensitive to Airflow: a field, an XCom, a key of a state
 * store. Their texts are replaced wherever they show up from then on, those of 3 and 4 characters (and
 * logins) where they are a whole value. Keys, hosts, booleans and nulls stay.
 */
export class FrameRedactor {
  readonly #keepPlainVariables: boolean;
  readonly #masker = new SecretMasker();
  readonly #values: ValueRedactor = new ValueRedactor(this.#masker);
  /** Ids of requests for something under a sensitive key. */
  readonly #open = new Set<FrameId>();

  constructor(options: FrameRedactorOptions = {}) {
    this.#keepPlainVariables = options.keepPlainVariables === true;
  }

  /** The frame without its secrets, which are known from now on. Frames come in order. */
  frame(frame: RedactableFrame): RedactedFrame {
    const { direction, id } = frame;
    const redacted: string[] = [];
    const body = this.#body(frame, redacted);
    const third = this.#values.redact(
      frame.third as WireValue,
      direction === "to-task" ? "/error" : "/carrier",
      redacted,
    );
    if (direction === "to-task") this.#open.delete(id);
    return { body, third, redacted };
  }

  /** A value at a place of the frame that has no name, e.g. `/more`. */
  value(value: unknown, at: string): Pick<RedactedFrame, "redacted"> & { readonly value: unknown } {
    const redacted: string[] = [];
    return { value: this.#values.redact(value as WireValue, at, redacted), redacted };
  }

  /** A log line or printed line with every secret that is known replaced by a placeholder. */
  line(text: string): string {
    if (!text.startsWith("{")) return this.#masker.maskText(text);
    try {
      const record: unknown = JSON.parse(text);
      const safe = this.#values.map(record as object, "", [], (name, value) =>
        name === "level" && typeof value === "string" && isLevelWord(value) ? value : undefined,
      );
      return safe === record ? text : JSON.stringify(safe);
    } catch {
      return this.#masker.maskText(text); // no JSON, or too deep
    }
  }

  /** Bytes that are no text with every known secret replaced by `***`. */
  bytes(bytes: Uint8Array): Uint8Array {
    return this.#masker.maskBytes(bytes);
  }

  #body({ direction, id, body }: RedactableFrame, redacted: string[]): unknown {
    if (!isMap(body)) return this.#values.redact(body as WireValue, "/body", redacted);
    const type = get(body, "type");
    const key = get(body, "key");
    const isSensitive = typeof key === "string" && isSensitiveName(key);
    if (direction === "to-supervisor" && isSensitive && this.#open.size < MAX_OPEN_REQUESTS) {
      this.#open.add(id);
    }
    const isAnswer = direction === "to-task" && this.#open.has(id);
    const isVariable =
      (type === "VariableResult" || type === "PutVariable") &&
      !(this.#keepPlainVariables && !isSensitive);
    const hasSecretValue = isSensitive || isAnswer || isVariable || type === "MaskSecret";
    return this.#values.map(body, "/body", redacted, (name, value, at) => {
      if (WORD_FIELDS.has(name) && typeof value === "string" && WORDS.has(value)) return value;
      if ((name === "value" || name === "root") && hasSecretValue) {
        return isVariable
          ? this.#variable(value, at, redacted)
          : this.#values.hide(value, at, redacted);
      }
      if (name === "ti_context" && isMap(value)) return this.#context(value, at, redacted);
      return undefined;
    });
  }

  /** Older servers have Variables and Connections in the start-up details. */
  #context(context: object, at: string, redacted: string[]): WireValue {
    return this.#values.map(context, at, redacted, (name, value, path) => {
      if (name !== "variables" || !Array.isArray(value)) return undefined;
      return value.map((variable: WireValue, index) => {
        if (!isMap(variable)) return variable;
        return this.#values.map(variable, `${path}/${index}`, redacted, (field, text, place) =>
          field === "value" ? this.#variable(text, place, redacted) : undefined,
        );
      });
    });
  }

  #variable(value: WireValue, at: string, redacted: string[]): WireValue {
    if (typeof value !== "string") return this.#values.hide(value, at, redacted);
    return this.#values.hideText(value, shapedPlaceholder(value), at, redacted);
  }
}

type AnyMap = ReadonlyMap<string, WireValue> | Readonly<Record<string, WireValue>>;

function isMap(value: unknown): value is AnyMap {
  if (typeof value !== "object" || value === null) return false;
  return value instanceof Map || Object.getPrototypeOf(value) === Object.prototype;
}

function get(map: AnyMap, key: string): unknown {
  if (map instanceof Map) return map.get(key);
  return Object.hasOwn(map, key) ? (map as Readonly<Record<string, WireValue>>)[key] : undefined;
}
