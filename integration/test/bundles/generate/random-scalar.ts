import type { Random } from "../../airflow/support/random.ts";

/** Plain scalars that YAML 1.1 types in unexpected ways, and some that it does not. */
const PLAIN: readonly string[] = [
  ...["on", "off", "yes", "No", "y", "n", "true", "FALSE", "~", "null", "Null", "NULL", ""],
  ...["1_000", "0", "-0", "+12", "012", "08", "0o10", "0x1F", "0b101", "1:30", "190:20:30", "1__0"],
  ...["1.0", "1e3", "1.5e+3", "1.5e3", ".5", "-.5", "1_0.5", ".inf", "-.INF", ".nan", "1:30.5"],
  ...[
    "2026-06-16",
    "2026-6-16",
    "2026-06-16T01:02:03Z",
    "2026-06-16 1:02:03.5 -05:30",
    "0001-01-01",
  ],
  ...[
    "1.2.3",
    "v1",
    "main.go",
    "a b",
    "a#b",
    "a:b",
    "é",
    "漢字",
    "😀",
    "-a",
    "?a",
    ":a",
    "=",
    "<<",
  ],
  ...["9007199254740993", "123456789012345678901234567890", "1e400", "5.0e-324", "0.1", "100.25"],
];

/** With indicators, quotes, tags and escapes. */
const DRESSED: readonly string[] = [
  ...["'on'", '"2026-06-16"', "'it''s'", '"a\\tb\\u00e9\\x41"', '"\\ud83d"', '"\\U0001F600"', "''"],
  ...[
    "!!str 12",
    "!!str on",
    "!!int '12'",
    "!!float 1",
    "!!bool 'no'",
    "!!null x",
    "!!str",
    "! 12",
  ],
  ...["!!timestamp 2026-06-16", "!!binary aGVsbG8=", "!!set {a, b}", "!!omap [a: 1, b: 2]"],
  ...["!!pairs [a: 1, a: 2]", "!<tag:yaml.org,2002:int> 7", '"a\\\n    b"', "'a\n\n    b'"],
];

/** What no reader takes. */
const REFUSED: readonly string[] = [
  ...[
    "2026-02-30",
    "2026-13-01",
    "!!int abc",
    "!foo a",
    "!!python/name:os.system",
    "*nobody",
    "@a",
  ],
  ...[
    "`a",
    "%a",
    "'a",
    '"a',
    '"\\q"',
    "[a",
    "{a: b",
    "a: b: c",
    "0b_",
    "0x_",
    "!!binary '*'",
    "- a",
  ],
  ...["2026-06-16T24:00:00", "!!bool maybe", "\u0007", "{[a]: b}"],
];

/** A scalar as it stands in a text: mostly good. */
export function randomScalar(random: Random): string {
  const kind = random.next();
  if (kind < 0.55) return random.pick(PLAIN);
  if (kind < 0.75) return random.pick(DRESSED);
  if (kind < 0.765) return random.pick(REFUSED);
  return randomWord(random);
}

/** Dag ids that are texts, and ones that are not read as such. */
export function randomDagId(random: Random): string {
  if (random.chance(0.6)) return random.pick(["d1", "d2", "sales_pipeline", "dag-1", "a.b"]);
  return random.pick([
    "on",
    "1_000",
    "2026-06-16",
    "~",
    "1.0",
    "0x1F",
    "é",
    "日本",
    "yes",
    "12",
    "a b",
  ]);
}

/** Letters, and what must be quoted. */
function randomWord(random: Random): string {
  const length = 1 + random.below(8);
  const letters = "abcdefgXYZ0123456789_-.é";
  return Array.from({ length }, () => random.pick([...letters])).join("");
}
