import type { Random } from "../../airflow/support/random.ts";
import { randomDagId } from "./random-scalar.ts";
import type { RandomMetadata } from "./random-yaml.ts";

/** Values that Python's JSON and JavaScript's might see in different ways. */
const VALUES: readonly string[] = [
  ...[
    "NaN",
    "-Infinity",
    "Infinity",
    "-NaN",
    "1e400",
    "-0",
    "0.1",
    "1.0",
    "1E2",
    "01",
    "+1",
    ".5",
    "1.",
  ],
  ...[
    "9007199254740993",
    "123456789012345678901234567890",
    '"\\ud83d"',
    '"\\u0000"',
    '"é"',
    '"\u007f"',
  ],
  ...[
    "null",
    "true",
    "True",
    "[]",
    "{}",
    "[1,]",
    "{,}",
    '"a\tb"',
    '"\\x41"',
    "'a'",
    '"\u2028"',
    '"\\/"',
  ],
  ...['{"a":1,"a":2}', "[[[[1]]]]", "undefined", "1_000", "nan", "/* c */ 1", "[1, 2, [3, {}]]"],
  ...[
    `"\\u0000foreign number: NaN"`,
    '"__proto__"',
    '{"__proto__": {"a": 1}}',
    "1e5",
    "12345678.9e-7",
  ],
];

const VERSIONS: readonly string[] = [
  ...[
    '"1.0"',
    '"1.0"',
    '"1.0"',
    '"1.0"',
    '"1.2.3"',
    '"01.5"',
    '"1"',
    "1.0",
    '"2.0"',
    '"1.0.0.0"',
    '"1.0\\n"',
  ],
  ...['" 1.0"', '"1.٣"', "null", '"11.0"', '"0.1"', '"1."'],
];

const SCHEMAS: readonly string[] = [
  ...[
    '"2026-06-16"',
    '"2026-06-16"',
    '"2026-10-30"',
    '"2026-10-30"',
    '""',
    "null",
    '"2025-01-01"',
    "1",
  ],
];

/** The metadata of a Node bundle: often right, sometimes odd, sometimes no JSON. */
export function randomJson(random: Random): RandomMetadata {
  const dagIds = Array.from({ length: random.below(3) + 1 }, () => randomDagId(random));
  const handlers = `{${dagIds.map((id) => `${JSON.stringify(id)}: {"tasks": ["t"]}`).join(", ")}}`;
  const entries = [
    `"airflow_bundle_metadata_version":${random.chance(0.85) ? '"1.0"' : random.pick(VERSIONS)}`,
    `"sdk":{"language":"typescript","supervisor_schema_version":${random.pick(SCHEMAS)}}`,
    `"task_handlers": ${random.chance(0.92) ? handlers : random.pick(VALUES)}`,
  ];
  if (random.chance(0.25)) entries.push(`"extra" : ${random.pick(VALUES)}`);
  if (random.chance(0.1)) entries.push(`"task_handlers":{"d1":{}}`);
  if (random.chance(0.04)) entries.push(`"sdk":${random.pick(VALUES)}`);
  if (random.chance(0.05)) entries.splice(random.below(entries.length), 1);
  const text = `{${entries.join(random.pick([",", ", ", ",\t"]))}}`;
  const kind = random.next();
  if (kind < 0.85) return { text, dagIds };
  const odd = random.pick([
    `\ufeff${text}`,
    ` ${text} `,
    `[${text}]`,
    `${text},`,
    text.slice(0, -1),
    `${text}\r`,
  ]);
  return { text: odd, dagIds };
}
