import type { Random } from "./random.ts";
import type { Body } from "./random-bodies.ts";

const DATE_TIMES = [
  "2026-06-16T01:02:03Z",
  "2026-06-16 01:02:03.5+02:00",
  "2026-06-16T01:02Z",
  "2026-06-16T01:02:03.123456789-0530",
  "2024-02-29T24:00:00Z",
  "9999-12-31T23:59:59.9999999+00:00",
  "2026-06-16T01:02:03+23:59",
  "2026-06-16_01:02:03,25z",
];
const DURATIONS = [
  "PT30S",
  "-P1D",
  "P1Y2M3W4DT5H6M7.5S",
  "PT1,5S",
  "P1.5D",
  "1 days, 01:02:03",
  "1d 01:02",
  "01:02:03.123",
  "0:00:30",
  "100:02",
  "P99999999999D",
];
const ID = "019a0000-0000-7000-8000-00000000000f";
const IDS = [ID, ID.replaceAll("-", ""), `{${ID}}`, `urn:uuid:${ID}`, ID.toUpperCase()];
const NUMBERS = [
  ...[
    0,
    1e-7,
    0.1234565,
    1.9999999,
    1e9,
    2e10,
    2e10 + 1,
    1_781_571_723.123456,
    1_781_571_723_123.5,
  ],
  ...[
    253_402_300_799_999, 253_402_300_800_000, 62_135_596_800_000, 86_399_999_913_600, 1e15, 1e308,
  ],
];
const LETTERS = "0123456789:-+.,TZPYMWDHS {}dayt_gu\u2212";

/** A message with one field that is read from text or numbers of many forms, none to three letters off. */
export function randomScalar(random: Random): Body {
  const number = random.pick(NUMBERS) * random.pick([1, 1, -1]);
  const end_date = random.chance(0.2) ? number : changed(random.pick(DATE_TIMES), random);
  const timeout = random.chance(0.2) ? number : changed(random.pick(DURATIONS), random);
  return random.pick<Body>([
    { type: "SucceedTask", end_date },
    { type: "TaskState", state: "failed", end_date },
    { type: "AwaitInputTask", next_method: "m", timeout },
    { type: "ValidateInletsAndOutlets", ti_id: changed(random.pick(IDS), random) },
  ]);
}

function changed(text: string, random: Random): string {
  let result = text;
  for (let count = random.below(4); count > 0; count--) {
    const at = random.below(result.length + 1);
    const put = random.chance(0.3) ? "" : (LETTERS[random.below(LETTERS.length)] ?? "");
    result = result.slice(0, at) + put + result.slice(at + random.below(2));
  }
  return result;
}
