import { Timestamp } from "@parlance/framing";
import { StoreError } from "./task-store.ts";

/** So that no moment of a Timestamp is below zero. */
const SHIFT_SECONDS = 2n ** 63n;

/**
 * A moment as text that sorts as moments do, whatever zone and precision it is written with.
 *
 * @throws StoreError `bad-value` for a text that is no ISO 8601 date-time with a zone.
 */
export function momentKey(iso: string): string {
  try {
    const { seconds, nanoseconds } = Timestamp.parse(iso);
    const whole = String(seconds + SHIFT_SECONDS).padStart(20, "0");
    return `${whole}.${String(nanoseconds).padStart(9, "0")}`;
  } catch (cause) {
    const shown = JSON.stringify(iso.slice(0, 100));
    throw new StoreError("bad-value", `${shown} is no ISO 8601 date-time with a zone`, { cause });
  }
}

/** {@link momentKey} of what may be missing. */
export function optionalMomentKey(iso: string | null | undefined): string | null {
  return iso === null || iso === undefined ? null : momentKey(iso);
}
