import { readFileSync } from "node:fs";
import { CONFORMANCE_DAG, type ConformanceCase, loadCases, RULES } from "@parlance/conformance";
import { CHANNELS, REPLIES, SCHEMA_VERSIONS, type SchemaVersion } from "@parlance/protocol";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";

const CASES = loadCases();
const NOT_COVERED = parse(
  readFileSync(new URL("../../not-covered.yaml", import.meta.url), "utf8"),
) as { readonly [direction: string]: { readonly [type: string]: string } };

/** Types that a case demands on the wire. */
function demanded({ expect, kind }: ConformanceCase): readonly string[] {
  const patterns = [...(expect.requests ?? []), ...(expect.terminal ? [expect.terminal] : [])];
  const types = patterns.map((pattern) => String(pattern["type"]));
  return kind === "parse" ? [...types, "DagFileParsingResult"] : types;
}

const sent = (version: SchemaVersion): ReadonlySet<string> =>
  new Set(CASES.filter(({ versions }) => versions.includes(version)).flatMap(demanded));

/** What those requests are answered with. */
function answered(version: SchemaVersion): ReadonlySet<string> {
  const replies = REPLIES as { readonly [type: string]: { readonly type: string | null } };
  const types = [...sent(version)].map((type) => replies[type]?.type ?? "");
  return new Set([...types, "StartupDetails", "DagFileParseRequest", "ErrorResponse"]);
}

for (const version of SCHEMA_VERSIONS) {
  for (const direction of ["to-supervisor", "to-task"] as const) {
    test(`every message ${direction} of ${version} has a case, or a reason to have none`, () => {
      const seen = direction === "to-task" ? answered(version) : sent(version);
      const all = ["task", "dag-parse"] as const;
      const types = new Set(all.flatMap((channel) => [...CHANNELS[version][channel][direction]]));
      const left = [...types].filter((type) => !seen.has(type)).sort();
      assert.equal(left, Object.keys(NOT_COVERED[direction] ?? {}).sort());
    });
  }
}

test("every rule that holds for any run is the id of a case", () => {
  for (const rule of RULES) {
    assert.ok(
      CASES.some(({ id }) => id === rule),
      rule,
    );
  }
});

// The tables of README.md are what an author writes handlers from.

const page = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const NOBODY_HAS_IT = "nobody_registered_this";

/** The names in the first column of the table below a heading cell. */
function namesBelow(heading: string): readonly string[] {
  const [, table = ""] = page.split(new RegExp(`^\\| ${heading} +\\|.*\\n`, "m"));
  const [rows = ""] = table.split("\n\n");
  return [...rows.matchAll(/^\| `([^`]+)`/gm)].map(([, name = ""]) => name).sort();
}

function tasksOf(dag: string): readonly string[] {
  const tasks = CASES.filter((one) => one.dag === dag && one.kind === "task");
  return [...new Set(tasks.map(({ task }) => task))].filter((id) => id !== NOBODY_HAS_IT).sort();
}

test("the contract names each handler that a case runs, and no other", () => {
  assert.equal(namesBelow("task"), tasksOf(CONFORMANCE_DAG));
});

test("the native Dag of the contract has each task that a case runs", () => {
  const known = namesBelow("part of the Dag");
  for (const task of tasksOf("conformance_native")) assert.ok(known.includes(task), task);
});

test.run();
