import { isMetadataMap, type MetadataValue, YamlFloat } from "@parlance/bundle";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parsePythonJson } from "../../dist/node/parse-python-json.js";

/** As text that tells the types: `1`, `1n`, `1f`. */
function shown(value: MetadataValue): string {
  if (value instanceof YamlFloat) return `${value.value}f`;
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return `[${(value as MetadataValue[]).map(shown).join()}]`;
  if (!isMetadataMap(value)) return JSON.stringify(value);
  return `{${[...value].map(([key, item]) => `${shown(key)}:${shown(item)}`).join()}}`;
}

test("values are those of Python's reader", () => {
  for (const [text, wanted] of [
    ["1", "1"],
    ["-0", "0"],
    ["1.0", "1f"],
    ["1E2", "100f"],
    ["1e400", "Infinityf"],
    ["9007199254740993", "9007199254740993n"],
    ["[NaN, -Infinity,Infinity]", "[NaNf,-Infinityf,Infinityf]"],
    ['{"a": 1, "a": 2, "__proto__": {}}', '{"a":2,"__proto__":{}}'],
    ['"\\u0000foreign number: NaN"', '"\\u0000foreign number: NaN"'],
    ['"\\ud83d\u2028\\/"', '"\\ud83d\u2028/"'],
    [" [ ] \r\n", "[]"],
    [`${"[".repeat(100)}${"]".repeat(100)}`, `${"[".repeat(100)}${"]".repeat(100)}`],
    ["9".repeat(4300), `${"9".repeat(4300)}n`],
  ] as const) {
    assert.is(shown(parsePythonJson(text)), wanted, text.slice(0, 40));
  }
});

test("what Python's reader refuses is refused", () => {
  for (const text of [
    ...[
      "",
      " ",
      "01",
      "1.",
      ".5",
      "+1",
      "-NaN",
      "nan",
      "True",
      "undefined",
      "1_0",
      "'a'",
      "[1,]",
      "{,}",
    ],
    ...[
      "{1:2}",
      '{"a"}',
      '{"a":1,}',
      "[1 2]",
      "1 2",
      '"a',
      '"a\tb"',
      '"\\x41"',
      "\ufeff1",
      "/**/1",
      "1\u00a0",
    ],
    ...["9".repeat(4301), `${"[".repeat(101)}${"]".repeat(101)}`, "[", "{", "]", '"\\'],
  ]) {
    assert.throws(
      () => parsePythonJson(text),
      (error: unknown) => error instanceof SyntaxError,
      text,
    );
  }
});

test.run();
