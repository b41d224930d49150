// Random questions for the calculation: wider than those of the golden file, and with many of the kind where
// one unit in the last place of a power decides about a whole second.

/** Numbers from 0 to below 1 that depend on the seed only (mulberry32). */
export function randomSource(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `count` vectors, each one line of JSON. */
export function* randomVectors(seed: number, count: number): Generator<string> {
  const draw = createDraw(randomSource(seed));
  for (let at = 0; at < count; at++) yield draw.vector();
}

const LAYERS = [
  "sdk",
  "sdk",
  "sdk",
  "sdk",
  "sdk",
  "sdk",
  "mapped",
  "mapped",
  "memory",
  "memory",
  "direct",
  "direct",
];
const IDS = [
  "etl",
  "my.dag-1",
  "日次バッチ",
  "données_été",
  "данные",
  "a".repeat(250),
  "🚀launch",
  "group.inner",
  "a#b",
  "é",
  "",
];
const MULTIPLIERS = [
  ...[
    true,
    false,
    0,
    1,
    0.5,
    1.5,
    2,
    3.5,
    5,
    -1,
    -2.5,
    10,
    0.1,
    3,
    7,
    100,
    1e6,
    1e155,
    1e308,
    1e-300,
    5e-324,
  ],
  ...[
    1.0000000000000002,
    0.9999999999999999,
    "$default",
    null,
    "2.0",
    " 1_0 ",
    "abc",
    "",
    "nan",
    "-Infinity",
  ],
  ...[
    { $f: "nan" },
    { $f: "inf" },
    { $f: "-inf" },
    { $int: "1000000000000000000000000000000" },
    { $int: "9".repeat(400) },
  ],
];
const DELAYS = [
  0, 1, 1000, 500_000, 1_000_000, 1_500_000, 333_333, 59_999_999, 60_000_000, 300_000_000,
  3_600_000_000,
];
const FAR_DELAYS = [
  86_400_000_000,
  999_999_999_999,
  31_536_000_000_000,
  -1_000_000,
  -300_000_000,
  8_987_760_000_000_007,
  null,
];
const TASK_CAPS = [
  null,
  null,
  null,
  0,
  1,
  500_000,
  1_000_000,
  60_000_000,
  61_234_567,
  86_400_000_000,
  1e15,
  -5_000_000,
];
const GLOBAL_CAPS = [
  0, 1, 60, 3600, 604_800, 315_360_000, 1_000_000_000_000, 100_000_000_000_000, -5,
];
const OVERRIDES = [
  0,
  1,
  1.5,
  5e-7,
  1.5e-6,
  2.5e-6,
  -10,
  1e6,
  1e9,
  1e15,
  true,
  { $f: "nan" },
  { $f: "inf" },
];
const OFFSETS = [
  "Z",
  "+00:00",
  "+09:00",
  "+05:30",
  "-03:30",
  "-08:00",
  "+10:30",
  "+14:00",
  "-00:44:30",
];

function createDraw(random: () => number): { vector(): string } {
  const chance = (probability: number): boolean => random() < probability;
  const whole = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
  const pick = <T>(values: readonly T[]): T => values[whole(0, values.length - 1)] as T;
  const two = (value: number): string => String(value).padStart(2, "0");

  const date = (): string => {
    const year = chance(0.02) ? pick(["0002", "1899", "9998", "9999"]) : whole(1970, 2100);
    const day = `${year}-${two(whole(1, 12))}-${two(whole(1, 28))}`;
    const fraction = chance(0.5) ? "" : `.${String(whole(0, 999_999)).padStart(6, "0")}`;
    const time = `${two(whole(0, 23))}:${two(whole(0, 59))}:${two(whole(0, 59))}${fraction}`;
    return `${day}T${time}${pick(OFFSETS)}`;
  };
  const multiplier = (): unknown => {
    if (chance(0.4)) return pick(MULTIPLIERS);
    if (chance(0.5)) return whole(20, 600) / 100;
    return chance(0.5) ? 0.2 + random() * 6 : 1 + (random() - 0.5) / 10 ** whole(1, 15);
  };
  const tryNumber = (): number => {
    if (chance(0.05)) return whole(-3, 3000);
    return chance(0.6) ? whole(1, 10) : whole(1, 60);
  };
  const delay = (): unknown => {
    if (chance(0.3)) return pick(DELAYS);
    if (chance(0.2)) return pick(FAR_DELAYS);
    // Multiples of powers of 5, with which decimal multipliers make whole numbers.
    return chance(0.6) ? whole(1, 4000) * 5 ** whole(1, 6) * 1_000_000 : whole(0, 4_000_000_000);
  };
  const override = (): unknown => (chance(0.7) ? random() * 10 ** whole(-6, 5) : pick(OVERRIDES));

  const vector = (): string => {
    const layer = pick(LAYERS);
    const overrideSeconds = chance(0.05) ? override() : null;
    // Two questions have no fixed answer: an explicit delay without an end date depends on the clock, and a
    // scheduler's task without a delay is none that serialisation could give.
    const retryDelay = delay() ?? (layer === "direct" ? 0 : null);
    return JSON.stringify({
      layer,
      dag_id: pick(IDS),
      task_id: `${pick(IDS)}${whole(0, 999)}`,
      logical_date: chance(0.1) ? null : date(),
      end_date: overrideSeconds === null && chance(0.01) ? null : date(),
      try_number: tryNumber(),
      retry_delay_us: retryDelay,
      multiplier: multiplier(),
      max_retry_delay_us: pick(TASK_CAPS),
      map_index: pick([-1, 0, 3]),
      max_task_retry_delay_s: chance(0.2) ? pick(GLOBAL_CAPS) : null,
      override_seconds: overrideSeconds,
    });
  };
  return { vector };
}
