import type { LogRecord, SecretMasker } from "@parlance/coordinator";

/**
 * A value of a task with every known secret replaced, and whatever stands under a sensitive name. Ids
 * are not masked anywhere: a page needs them to ask for more.
 */
export function masked<T>(masker: SecretMasker, value: T): T {
  const wrapped = { event: value } as unknown as LogRecord;
  return masker.mask(wrapped)["event"] as T;
}

/** A text for people, or none. */
export function maskedText<T extends string | null>(masker: SecretMasker, text: T): T {
  return (text === null ? null : masker.maskText(text)) as T;
}
