import { createLevelFilter, type LogLevel, readLevelWord } from "@parlance/sdk-node/level-filter";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readCases } from "../support/cases.ts";

interface FilterCase {
  readonly id: string;
  readonly title: string;
  readonly input: { readonly env: Record<string, string | null> };
  readonly expected: {
    readonly probes?: readonly {
      readonly logger: string | null;
      readonly level: LogLevel;
      readonly expect: "keep" | "drop";
    }[];
  };
}

const cases = readCases<FilterCase>("FLT-");

for (const { id, title, input, expected } of cases) {
  test(`${id}: ${title}`, () => {
    const filter = createLevelFilter({
      level: input.env["AIRFLOW__LOGGING__LOGGING_LEVEL"] ?? undefined,
      namespaceLevels: input.env["AIRFLOW__LOGGING__NAMESPACE_LEVELS"] ?? undefined,
    });
    if (expected.probes === undefined) {
      // FLT-15: stock refuses to start; the task must not be lost for it.
      assert.equal(
        filter.problems.map((problem) => problem.code),
        ["root-level-refused"],
      );
      assert.is(filter.allows("info", "x"), false);
      assert.is(filter.allows("warning", "x"), true);
    }
    for (const { logger, level, expect } of expected.probes ?? []) {
      assert.is(filter.allows(level, logger) ? "keep" : "drop", expect, `${logger} ${level}`);
    }
  });
}

test("all cases were there", () => {
  assert.is(cases.length, 12);
});

test("entries are split where Python's re finds [\\s,], and nowhere else", () => {
  // Found with re.match(r"[\s,]", chr(n)) over all of Unicode, Python 3.11.
  const separators =
    "\t\n\v\f\r\x1c\x1d\x1e\x1f ,\x85\xa0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000";
  for (const separator of separators) {
    const filter = createLevelFilter({ namespaceLevels: `a=debug${separator}b=debug` });
    assert.ok(filter.allows("debug", "b"), JSON.stringify(separator));
  }
  for (const other of "\x1b\u180e\u200b\u2060\ufeff;") {
    const filter = createLevelFilter({ namespaceLevels: `a=debug${other}b=debug` });
    assert.not(filter.allows("debug", "b"), JSON.stringify(other));
    assert.is(filter.problems.length, 1);
  }
});

test("odd names match by whole segments, as in the trie of stock", () => {
  const filter = createLevelFilter({ namespaceLevels: ".x=debug c..d=debug e.=debug =debug f" });
  const kept = [".x", ".x.y", "c..d", "c..d.e", "e.", "e..f"];
  const dropped = ["", "x", "c", "c.", "e", "e.f", "f"];
  for (const name of kept) assert.ok(filter.allows("debug", name), name);
  for (const name of dropped) assert.not(filter.allows("debug", name), name);
  assert.equal(
    filter.problems.map((problem) => problem.code),
    ["namespace-entry-skipped", "namespace-entry-skipped"],
  );
});

test("a root level that nobody understands is INFO, with one problem", () => {
  for (const level of ["LOUD", "10", "", "trace", "INFO,DEBUG"]) {
    const filter = createLevelFilter({ level });
    assert.equal(
      filter.problems.map((problem) => problem.code),
      ["root-level-unknown"],
    );
    assert.not(filter.allows("debug", "a"));
    assert.ok(filter.allows("info", "a"));
  }
  assert.ok(createLevelFilter({ level: " Fatal " }).allows("critical", "a"));
  assert.not(createLevelFilter({ level: " Fatal " }).allows("error", "a"));
  assert.ok(createLevelFilter({ level: "NOTSET" }).allows("debug", "a"));
});

test("level words of records", () => {
  const words = ["WARN", "exception", "fatal", "notset", "trace", "20"];
  assert.equal(words.map(readLevelWord), [
    "warning",
    "error",
    "critical",
    "debug",
    undefined,
    undefined,
  ]);
});

test.run();
