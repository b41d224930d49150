/** What the genuine calculation says to a vector: `out` of a golden vector, a line of `next_retry.py`. */
export interface GenuineAnswer {
  readonly delay_us?: number | { readonly $int: string };
  readonly next_retry?: string;
  readonly hash_text?: string;
  readonly multiplier_effective?: unknown;
  readonly retry_delay_us_effective?: number | { readonly $int: string };
  readonly max_retry_delay_us_effective?: number | { readonly $int: string } | null;
  /** Exception classes, of one of three steps. */
  readonly rejected?: string;
  readonly unreadable?: string;
  readonly error?: string;
}

/** What `answerVector` of `@parlance/retry` gives, by its shape. */
export type OurAnswer =
  | {
      readonly delayUs: bigint;
      readonly nextRetry: { toIso(options: { readonly fraction: "always" }): string };
      readonly multiplier: number | bigint;
      readonly retryDelayUs: number | bigint;
      readonly maxRetryDelayUs: number | bigint | null;
      readonly hashText: string;
    }
  | { readonly error: string; readonly stage: string };

/** The exception class of Airflow 3.3.2 that stands behind each of our codes. */
const CLASS_OF_CODE: Readonly<Record<string, string>> = {
  "wrong-type": "TypeError",
  "missing-end-date": "TypeError",
  "not-a-number": "ValueError",
  "out-of-range": "OverflowError",
  "lone-surrogate": "UnicodeEncodeError",
  "cannot-deserialize": "DeserializationError",
};

/** Where ours and the genuine answer differ, in one line for each; empty when they are alike. */
export function compareRetryAnswer(ours: OurAnswer, genuine: GenuineAnswer): string[] {
  const expected = flatten(genuine);
  const actual = "error" in ours ? failureOf(ours) : delayOf(ours);
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...names].flatMap((name) =>
    actual[name] === expected[name]
      ? []
      : [`${name}: ours ${actual[name] ?? "(none)"}, Airflow's ${expected[name] ?? "(none)"}`],
  );
}

type Flat = Readonly<Record<string, string>>;

function failureOf({ error, stage }: { readonly error: string; readonly stage: string }): Flat {
  return { outcome: `${stage} ${CLASS_OF_CODE[error] ?? error}` };
}

function delayOf(ours: Exclude<OurAnswer, { readonly error: string }>): Flat {
  return {
    outcome: `delay ${ours.delayUs} until ${ours.nextRetry.toIso({ fraction: "always" })}`,
    hashText: ours.hashText,
    multiplier: String(ours.multiplier),
    retryDelayUs: String(ours.retryDelayUs),
    maxRetryDelayUs: String(ours.maxRetryDelayUs),
  };
}

function flatten(genuine: GenuineAnswer): Flat {
  const { rejected, unreadable, error } = genuine;
  if (rejected !== undefined) return { outcome: `rejected ${rejected}` };
  if (unreadable !== undefined) return { outcome: `unreadable ${unreadable}` };
  if (error !== undefined) return { outcome: `failed ${error}` };
  return {
    outcome: `delay ${plain(genuine.delay_us)} until ${genuine.next_retry}`,
    hashText: String(genuine.hash_text),
    multiplier: plain(genuine.multiplier_effective),
    retryDelayUs: plain(genuine.retry_delay_us_effective),
    maxRetryDelayUs: plain(genuine.max_retry_delay_us_effective),
  };
}

/** A number of a vector as JavaScript writes it; the layer `direct` shows booleans as they are. */
function plain(value: unknown): string {
  if (typeof value === "boolean") return String(Number(value));
  if (typeof value !== "object" || value === null) return String(value);
  const { $f, $int } = value as { readonly $f?: string; readonly $int?: string };
  return $int ?? { nan: "NaN", inf: "Infinity", "-inf": "-Infinity" }[$f ?? ""] ?? "?";
}
