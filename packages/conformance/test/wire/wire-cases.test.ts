import { test } from "uvu";
import * as assert from "uvu/assert";

// What `npm run check` holds docs/wire.md to, tried on pages that are wrong.

interface WireCases {
  readDemands(page: string): readonly unknown[];
  compareDemands(
    demands: readonly unknown[],
    cases: readonly unknown[],
    dimensions: readonly unknown[],
  ): readonly string[];
}
const root = new URL("../../../../", import.meta.url);
const { readDemands, compareDemands } = (await import(
  new URL("scripts/lib/wire-cases.mjs", root).href
)) as WireCases;

const CASES = [
  { family: "a/one", tier: "must", proves: ["success"] },
  { family: "a/two", tier: "may", proves: [] },
];
const SUCCESS = { name: "success", tier: "must", group: "states" };
const UNSEEN = { name: "dag-test", tier: "may", group: "native-dag", unseen: "it is a command" };
const GOOD = `# Page

- **MUST** be one · \`a/one\`
- **MAY NOT**
  be two · \`a/two\`
- **MUST** be three · no case: a supervisor's part

\`\`\`text
A MUST in a block is none.
\`\`\`
`;
const TABLE = `
| state     | tier | cases                    |
| --------- | ---- | ------------------------ |
| success   | MUST | \`a/one\`                |
| dag-test  | MAY  | no case: it is a command |
`;

const faults = (page: string, dimensions: readonly unknown[] = []): readonly string[] =>
  compareDemands(readDemands(page), CASES, dimensions);

test("a page that keeps to the cases", () => {
  assert.equal(faults(GOOD), []);
  assert.equal(faults(GOOD + TABLE, [SUCCESS, UNSEEN]), []);
});

const WRONG: readonly (readonly [string, string, string])[] = [
  ["a demand in prose", `${GOOD}\nIt MUST be.\n`, "line 12: a demand has to be a list item"],
  ["a line without a case", `${GOOD}\n- **MUST** be · nothing\n`, "line 12: it names no case"],
  ["a line without an end", `${GOOD}\n- **MUST** be\n`, "line 12: a demand has to be a list item"],
  ["a reason of one word", GOOD.replace("a supervisor's part", "no"), "line 6: it names no case"],
  [
    "a case that is not there",
    GOOD.replace("a/two", "a/three"),
    "line 4: there is no case a/three",
  ],
  ["a case that no line names", GOOD.replace("**MAY NOT**\n  be two · `a/two`", "x"), "a/two"],
  [
    "another tier",
    GOOD.replace("**MUST** be one", "**SHOULD** be one"),
    "a SHOULD, its case a/one",
  ],
  ["a tier that is none", GOOD + TABLE.replace("MUST", "must"), "line 14: must is no tier"],
];
for (const [name, page, expected] of WRONG) {
  test(`it finds ${name}`, () => {
    assert.match(faults(page).join("\n"), expected);
  });
}

const DIMENSION_FAULTS: readonly (readonly [string, string, unknown, string])[] = [
  ["no row", GOOD, SUCCESS, "no table has a row for success"],
  ["another tier", GOOD + TABLE, { ...SUCCESS, tier: "may" }, "success: its tier is MAY"],
  ["no reason", GOOD + TABLE, { ...UNSEEN, unseen: "x" }, "it has to say: no case: x"],
  ["a case for what has a reason", GOOD + TABLE, { ...SUCCESS, unseen: "x" }, "no case: x"],
  [
    "no proof",
    GOOD + TABLE.replace("success  ", "failed  "),
    { ...SUCCESS, name: "failed" },
    "prove",
  ],
];
for (const [name, page, dimension, expected] of DIMENSION_FAULTS) {
  test(`it finds a dimension with ${name}`, () => {
    assert.match(faults(page, [dimension]).join("\n"), expected);
  });
}

test.run();
