import { EncodeFault } from "../serializers/encode-fault.ts";
import { DateTime } from "./date-time.ts";

/**
 * A Date as the date-time that is stored for it.
 *
 * @throws EncodeFault for an invalid one, and for years that Python does not know
 */
export function dateTimeOf(date: Date): DateTime {
  try {
    return DateTime.fromDate(date);
  } catch {
    throw new EncodeFault("it is an invalid Date, or one outside the years 1 to 9999");
  }
}
