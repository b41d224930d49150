import { assemble } from "../generate/random-executable.ts";
import { assembleNode } from "../generate/random-node-bundle.ts";
import type { ReaderName, Reading } from "./real-readers.ts";

/** Where we are another than Airflow's reader on purpose; differences.test.ts holds that each is so still. */
export interface Difference {
  readonly name: string;
  readonly reason: string;
  readonly reader: ReaderName;
  /** Files that show it, all with the Dag `d1`. */
  readonly examples: readonly Buffer[];
  /** What the readings of an example are. */
  readonly shows: (theirs: Reading, ours: Reading) => boolean;
  /** Whether it is what makes two readings of a generated file differ; left out where none shows it. */
  readonly explains?: (theirs: Reading, ours: Reading) => boolean;
}

const GOOD = 'sdk: {supervisor_schema_version: "2026-06-16"}\ndags: {d1: {}}\n';
const GOOD_JSON =
  '{"airflow_bundle_metadata_version":"1.0","sdk":{"supervisor_schema_version":"2026-06-16"},"task_handlers":{"d1":{}}';

function bundle(metadata: string): Buffer {
  return assemble({
    executable: Buffer.from("#!/bin/sh\n"),
    source: Buffer.alloc(0),
    metadata: Buffer.from(metadata),
  });
}

function nodeBundle(extra: string, layout?: (text: string) => string): Buffer {
  return assembleNode({
    metadata: `${GOOD_JSON}${extra}}`,
    sources: [],
    code: "export {};\n",
    ...(layout && { layout }),
  });
}

function nested(levels: number): string {
  return "[".repeat(levels) + "]".repeat(levels);
}

/** They take it and find the Dag, we refuse the file. */
function refused(code: string) {
  return (theirs: Reading, ours: Reading): boolean =>
    theirs.verdict === "ok" &&
    theirs.found === "2026-06-16" &&
    ours.verdict === code &&
    ours.found === null;
}

/** An exception that nobody expected ends their search; our doctor names it, and our search goes on. */
function escapes(theirs: Reading, ours: Reading): boolean {
  return (
    theirs.verdict === "escaped" &&
    ours.verdict === "escaped" &&
    theirs.why === ours.why &&
    String(theirs.offsets) === String(ours.offsets) &&
    typeof theirs.found === "object" &&
    ours.found === null
  );
}

/** How read_bundles.py tells a document that holds itself. */
function isEndless({ metadata }: Reading): boolean {
  return JSON.stringify(metadata) === '{"deep":true}';
}

/** All of them. */
export const DIFFERENCES: readonly Difference[] = [
  {
    name: "one bad bundle does not end the search",
    reason:
      "Airflow expects YAML errors alone (3.4 ValueErrors, too): other exceptions that PyYAML lets out of a value leave its search, and no bundle of the folder is found any more. We reject that one file; the doctor says `stops-search`.",
    reader: "executable",
    examples: ["!!bool maybe", "!!timestamp abc"].map((value) => bundle(`${GOOD}x: ${value}\n`)),
    shows: escapes,
    explains: escapes,
  },
  {
    name: "at most 100 levels in YAML",
    reason:
      "Airflow stops at Python's limit of recursion, which depends on how deep its own call stack is.",
    reader: "executable",
    examples: [bundle(`${GOOD}x: ${nested(110)}\n`)],
    shows: (theirs, ours) => theirs.verdict === "ok" && ours.verdict === "escaped",
  },
  {
    name: "at most 100 levels in the JSON of Node bundles",
    reason: "As in YAML.",
    reader: "node",
    examples: [nodeBundle(`,"x":${nested(110)}`)],
    shows: refused("bad-metadata"),
  },
  {
    name: "at most 100 levels in a layout",
    reason: "As in YAML.",
    reader: "node",
    examples: [nodeBundle("", (text) => text.replace("{", `{"x":${nested(110)},`))],
    shows: refused("bad-layout"),
  },
  {
    name: "at most 1 MiB of metadata",
    reason: "Airflow reads up to 4 GiB into memory, for every bundle at every look-up.",
    reader: "executable",
    examples: [bundle(`${GOOD}#${"x".repeat(1 << 20)}\n`)],
    shows: refused("bad-metadata"),
  },
  {
    name: "at most 100 aliases",
    reason: "A few lines of aliases to aliases grow into gigabytes when they are walked through.",
    reader: "executable",
    examples: [bundle(`${GOOD}x: &x 1\ny: [${"*x, ".repeat(101)}]\n`)],
    shows: refused("bad-metadata"),
  },
  {
    name: "no document that holds itself",
    reason: "Nothing can be done with it but to walk in circles.",
    reader: "executable",
    examples: [bundle(`${GOOD}x: &x [*x]\n`)],
    shows: refused("bad-metadata"),
    explains: (theirs, ours) =>
      theirs.verdict === "ok" && isEndless(theirs) && ours.verdict === "bad-metadata",
  },
  {
    name: "the first of merged maps wins",
    reason:
      "YAML's merge type says so, and PyYAML does up to 6.0.3. 6.0.4 tells equal keys by where Python keeps them in memory: the first wins for keys of one character, the last for longer ones.",
    reader: "executable",
    examples: [bundle(`${GOOD}x: {<<: [{key: 1}, {key: 2}]}\n`)],
    shows: (theirs, ours) =>
      theirs.verdict === "ok" &&
      JSON.stringify(theirs.metadata).includes('["key",{"int":"0x2"}]') &&
      JSON.stringify(ours.metadata).includes('["key",{"int":"0x1"}]'),
  },
  {
    name: "a lone `=` in a tagged map",
    reason: "PyYAML reads `!!str {=: text}` as the text, which no other reader of YAML does.",
    reader: "executable",
    examples: [bundle(`${GOOD}x: !!str {=: text}\n`)],
    shows: refused("bad-metadata"),
  },
  {
    name: "a file of both formats is a Node bundle to inspect and verify",
    reason:
      "What begins as a Node bundle and ends as an executable one is looked at by both coordinators, and by both of our searches. A report has room for one format.",
    reader: "executable",
    examples: [both()],
    shows: (theirs, ours) =>
      theirs.verdict === "ok" && ours.verdict === "no-footer" && theirs.found === ours.found,
  },
];

/** A Node bundle in whose code's last line an executable one's end stands. */
function both(): Buffer {
  const metadata = Buffer.from(GOOD);
  const start = "//# airflowBundle=";
  const executable = Buffer.from(`${start}{}\n`);
  return assemble({ executable, source: Buffer.alloc(0), metadata });
}
