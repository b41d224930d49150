import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleBytes, SCRIPT, writeBundle, writeNodeBundle } from "./make-bundles.ts";

/** The codes that the doctor must tell, by line of Airflow; where there is one list, it is of both. */
type Codes =
  | readonly string[]
  | { readonly "3.3": readonly string[]; readonly "3.4": readonly string[] };

/** A root with a fault in it. */
export interface DoctorCase {
  readonly name: string;
  lay(root: string): void;
  /** What is searched for; default `d1`. */
  readonly dagIds?: readonly string[];
  /** Of errors and warnings. */
  readonly codes: Codes;
  /**
   * After the commands were run, the real finder finds every Dag. `none`: no command can bring that
   * about, and the doctor gives words alone.
   */
  readonly mended?: "none" | "3.4 only" | "3.3 only";
}

const bundle = (
  name: string,
  codes: Codes,
  parts: Parameters<typeof writeBundle>[2],
  mended?: DoctorCase["mended"],
): DoctorCase => ({
  name,
  lay: (root) => writeBundle(root, "bundle", parts),
  codes,
  ...(mended === undefined ? {} : { mended }),
});
const appended = (text: string) => (bytes: Buffer) => Buffer.concat([bytes, Buffer.from(text)]);
const set = (at: number, byte: number) => (bytes: Buffer) => {
  bytes[bytes.length + at] = byte;
  return bytes;
};
const no34 = { "3.3": ["not-in-this-airflow"], "3.4": [] } as const;

/** Faults of AFBNDL01 files. */
const EXECUTABLE_CASES: readonly DoctorCase[] = [
  bundle("a good bundle", [], {}),
  bundle("no execute bit", { "3.3": ["no-execute-bit"], "3.4": [] }, { mode: 0o644 }),
  bundle("execute bits, none to read", [], { mode: 0o711 }),
  // root may read it all the same
  bundle("no bits at all", [process.getuid?.() === 0 ? "no-execute-bit" : "unreadable"], {
    mode: 0,
  }),
  bundle("a line end behind the footer", ["trailing-bytes"], { change: appended("\n") }),
  bundle("a signature behind the footer", ["trailing-bytes"], {
    change: appended("0\x82\x01\x02signature"),
  }),
  bundle("a changed executable", ["digest-mismatch"], { digestOf: "another" }),
  bundle("an unquoted schema version", ["bad-schema-version"], { schemaVersion: "2026-06-16" }),
  bundle("a schema version that is a float", ["bad-schema-version"], { schemaVersion: "1.0" }),
  bundle(
    "a schema version of another Airflow",
    { "3.3": ["bad-schema-version"], "3.4": [] },
    { schemaVersion: '"2026-10-30"' },
  ),
  bundle("a schema version of the future", ["bad-schema-version"], {
    schemaVersion: '"2031-01-01"',
  }),
  bundle("no schema version", ["bad-schema-version"], {
    metadata: 'sdk: {language: go, version: "1"}\ndags: {d1: {tasks: [t]}}\n',
  }),
  bundle("no sdk", ["bad-schema-version"], { metadata: "dags: {d1: {tasks: [t]}}\n" }),
  bundle(
    "dags as a list",
    ["no-dags"],
    { metadata: 'sdk: {supervisor_schema_version: "2026-06-16"}\ndags: [d1]\n' },
    "none",
  ),
  bundle("no dags", ["no-dags"], { dags: [] }, "none"),
  bundle("metadata that is a list", ["bad-metadata"], { metadata: "- d1\n" }, "none"),
  bundle("metadata with a tab", ["bad-metadata"], { metadata: "dags:\n\td1: {}\n" }, "none"),
  bundle(
    "metadata that is no UTF-8",
    ["bad-metadata"],
    {
      change: (bytes) => {
        bytes[SCRIPT.length + 5] = 0xff;
        return bytes;
      },
    },
    "none",
  ),
  bundle("footer version 2", ["bad-version"], { change: set(-56, 2) }, "none"),
  bundle("a reserved byte", ["reserved-bytes"], { change: set(-20, 1) }, "none"),
  bundle("lengths beyond the file", ["out-of-bounds"], { change: set(-58, 9) }, "none"),
  bundle("a magic in lower case", ["damaged-footer"], { change: set(-8, 0x61) }, "none"),
  bundle(
    "a footer alone",
    ["no-executable"],
    { change: (bytes) => bytes.subarray(SCRIPT.length) },
    "none",
  ),
  bundle("a name with blanks, quotes and a line end", [], { change: (bytes) => bytes }),
  {
    name: "strange names, mended all the same",
    lay: (root) => {
      writeBundle(root, 'it\'s a "$bundle"\\n\n1', { change: appended("\n") });
      writeBundle(root, "-rf d2/ü%s", { change: appended("\n"), dags: ["d2"] });
    },
    dagIds: ["d1", "d2"],
    codes: ["trailing-bytes"],
  },
  {
    name: "an id that YAML does not read as text",
    lay: (root) => writeBundle(root, "bundle", { dags: ["on", "007", "2026-06-16"] }),
    dagIds: ["on", "007", "2026-06-16"],
    codes: ["bad-dag-id"],
  },
  {
    name: "a date that is none ends the search of 3.3",
    lay: (root) => {
      writeBundle(root, "bundle", { metadata: "dags: {d1: {}}\nbuilt: 2026-13-45\n" });
      writeBundle(root, "sub/other", { dags: ["d2"] });
    },
    dagIds: ["d2"],
    codes: { "3.3": ["bad-metadata", "stops-search"], "3.4": ["bad-metadata"] },
    mended: "3.3 only",
  },
  {
    name: "a boolean that is none ends every search",
    lay: (root) => {
      writeBundle(root, "bundle", { metadata: "dags: {d1: {}}\nx: !!bool maybe\n" });
      writeBundle(root, "sub/other", { dags: ["d2"] });
    },
    dagIds: ["d2"],
    codes: ["bad-metadata", "stops-search"],
  },
];

/** Bundles that are taken and do not start. */
const START_CASES: readonly DoctorCase[] = [
  bundle("an interpreter line with CR", ["cr-in-interpreter-line"], {
    executable: "#!/bin/sh\r\nexit 0\r\n",
  }),
  bundle(
    "a CR, an unquoted version and a wrong digest",
    ["bad-schema-version", "cr-in-interpreter-line", "digest-mismatch"],
    { executable: "#!/bin/sh\r\nexit 0\r\n", schemaVersion: "2026-06-16", digestOf: "x" },
  ),
  bundle("an interpreter elsewhere", ["missing-interpreter"], {
    executable: "#!/no/such/place/sh\nexit 0\n",
  }),
  bundle("words behind env", ["env-arguments"], { executable: "#!/usr/bin/env sh -e\nexit 0\n" }),
];

/** Where things are. */
const PLACE_CASES: readonly DoctorCase[] = [
  {
    name: "a link that leads nowhere, a loop, and a link out of it",
    lay: (root) => {
      writeBundle(root, "store/bundle");
      symlinkSync("missing", join(root, "broken"));
      symlinkSync("loop", join(root, "loop"));
      symlinkSync("store/bundle", join(root, "good"));
      symlinkSync("..", join(root, "store/up"));
    },
    codes: ["broken-link", "looping-link"],
  },
  {
    name: "of two bundles the first in the order of the file system",
    lay: (root) => {
      writeBundle(root, "one/bundle", { changedAt: 2_000 });
      writeBundle(root, "two/bundle", { changedAt: 1_000 });
    },
    codes: ["duplicate-dag"],
  },
  {
    name: "twelve bundles of one Dag",
    lay: (root) => {
      for (const name of "abcdefghijkl") writeBundle(root, name, { changedAt: name.charCodeAt(0) });
    },
    codes: ["duplicate-dag"],
  },
  {
    name: "two bundles that share one Dag of two",
    lay: (root) => {
      writeBundle(root, "a", { dags: ["d1", "d2"] });
      writeBundle(root, "b", { dags: ["d2", "d3"] });
    },
    dagIds: ["d1", "d2", "d3"],
    codes: ["duplicate-dag"],
    mended: "none",
  },
  {
    name: "a hidden copy",
    lay: (root) => {
      writeBundle(root, ".old/bundle", { changedAt: 2_000 });
      writeBundle(root, "bundle", { changedAt: 1_000 });
    },
    codes: ["duplicate-dag"],
  },
  {
    name: "only a hidden one",
    lay: (root) => writeBundle(root, ".bundles/.one"),
    codes: [],
  },
  {
    name: "a broken one before a good one",
    lay: (root) => {
      writeBundle(root, "a", { digestOf: "x" });
      writeBundle(root, "b");
      writeFileSync(join(root, "README.md"), "# bundles\n");
    },
    codes: ["digest-mismatch"],
  },
  {
    name: "a name that is no UTF-8",
    lay: (root) => {
      const path = Buffer.concat([Buffer.from(`${root}/b`), Buffer.from([0xff, 0x0a, 0x31])]);
      writeFileSync(path, Buffer.concat([bundleBytes(), Buffer.from("\n")]));
      chmodSync(path, 0o755);
    },
    codes: ["trailing-bytes"],
  },
  { name: "an empty root", lay: () => {}, codes: [], mended: "none" },
];

/** Node bundles. */
const NODE_CASES: readonly DoctorCase[] = [
  {
    name: "a good Node bundle",
    lay: (root) => writeNodeBundle(root, "a.min.mjs"),
    codes: no34,
    mended: "3.4 only",
  },
  {
    name: "a Node bundle of another name",
    lay: (root) => writeNodeBundle(root, "a.min.js"),
    codes: { ...no34, "3.4": ["wrong-name"] },
    mended: "3.4 only",
  },
  {
    name: "a name in capitals",
    lay: (root) => writeNodeBundle(root, "A.MIN.MJS"),
    codes: { ...no34, "3.4": ["wrong-name"] },
    mended: "3.4 only",
  },
  {
    name: "a folder named as a Node bundle",
    lay: (root) => {
      mkdirSync(join(root, "a.min.mjs"));
      writeNodeBundle(root, "a.min.mjs/inner.min.mjs");
    },
    codes: { ...no34, "3.4": ["folder-named-bundle"] },
    mended: "3.4 only",
  },
  {
    name: "a Node bundle that was changed",
    lay: (root) => writeNodeBundle(root, "a.min.mjs", { change: set(-2, 0x20) }),
    codes: { ...no34, "3.4": ["digest-mismatch"] },
    mended: "none",
  },
  {
    name: "a Node bundle with a byte more",
    lay: (root) => writeNodeBundle(root, "a.min.mjs", { change: appended("\n") }),
    codes: { ...no34, "3.4": ["bad-layout"] },
    mended: "none",
  },
  {
    name: "a metadata version that is a number",
    lay: (root) => writeNodeBundle(root, "a.min.mjs", { metadataVersion: 1 }),
    codes: { ...no34, "3.4": ["bad-metadata-version"] },
    mended: "none",
  },
  {
    name: "a Node bundle for a future Airflow",
    lay: (root) => writeNodeBundle(root, "a.min.mjs", { schemaVersion: "2031-01-01" }),
    codes: { ...no34, "3.4": ["bad-schema-version"] },
    mended: "none",
  },
  {
    name: "of two Node bundles the first by name",
    lay: (root) => {
      writeNodeBundle(root, "b.min.mjs", { changedAt: 2_000 });
      writeNodeBundle(root, "a/z.min.mjs", { changedAt: 1_000 });
    },
    codes: { ...no34, "3.4": ["duplicate-dag"] },
    mended: "3.4 only",
  },
  {
    name: "names beyond U+FFFF are sorted by code point",
    lay: (root) => {
      writeNodeBundle(root, "\u{1f600}.min.mjs", { changedAt: 2_000 });
      writeNodeBundle(root, "\uff5e.min.mjs", { changedAt: 1_000 });
    },
    codes: { ...no34, "3.4": ["duplicate-dag"] },
    mended: "3.4 only",
  },
  {
    name: "a module that is no bundle",
    lay: (root) => {
      writeFileSync(join(root, "a.min.mjs"), "export {};\n");
      writeNodeBundle(root, "b.min.mjs");
    },
    codes: no34,
    mended: "3.4 only",
  },
];

/** All of them. */
export const DOCTOR_CASES: readonly DoctorCase[] = [
  ...EXECUTABLE_CASES,
  ...START_CASES,
  ...PLACE_CASES,
  ...NODE_CASES,
];
