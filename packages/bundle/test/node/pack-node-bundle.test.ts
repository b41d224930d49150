import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type BundleErrorCode,
  createMetadata,
  formatNodeBundle,
  packNodeBundle,
  readBundle,
  readSources,
} from "@parlance/bundle";
import { rejects, temporaryFolder, throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const folder = temporaryFolder();
const sdk = { language: "typescript", version: "1.0.0", supervisorSchemaVersion: "2026-10-30" };

function metadata(dagId = "d") {
  return createMetadata({ sdk, dags: { [dagId]: { tasks: ["t"] } } });
}

test("what is written reads back, sources of any text and lines counted", async () => {
  const sources = [
    { path: "src/a.ts", data: "a */ b *\\/ **/ *\\ */" },
    { path: "src/ü.ts", data: "two\nlines\r\n*" },
  ];
  const code = "export const x = 1;\n";
  const out = join(folder, "tasks.min.mjs");
  const packed = await packNodeBundle({ code, metadata: metadata("ü\u2028"), sources, out });
  const report = await readBundle(out);
  assert.equal([report.format, report.verified, report.problems], ["node", true, []]);
  assert.is(readFileSync(out).length, packed.size);
  const embedded = readSources(report);
  assert.equal(
    embedded.map(({ path, data }) => ({ path, data: Buffer.from(data).toString() })),
    sources,
  );
  const { bytes, linesBefore } = formatNodeBundle({ code, metadata: metadata("ü\u2028"), sources });
  assert.is(Buffer.from(bytes).toString().split("\n")[linesBefore], "export const x = 1;");
});

const REFUSED: readonly (readonly [string, object, BundleErrorCode])[] = [
  ["no code", { code: "" }, "bad-layout"],
  ["an empty source", { sources: [{ path: "a", data: "" }] }, "bad-sources"],
  ["a path with a line end", { sources: [{ path: "a\nb", data: "x" }] }, "bad-sources"],
  ["a source over 1 MiB", { sources: [{ path: "a", data: "x".repeat(2 ** 20 + 1) }] }, "too-large"],
  [
    "too many sources",
    { sources: Array.from({ length: 40 }, (_, at) => ({ path: `${at}.ts`, data: "x" })) },
    "too-large",
  ],
];
for (const [name, parts, code] of REFUSED) {
  test(`refuses ${name}`, () => {
    const error = throws(() => formatNodeBundle({ code: "1", metadata: metadata(), ...parts }));
    assert.is((error as { code?: string }).code, code);
  });
}

test("the old file stays where the new one can't be written", async () => {
  const out = join(folder, "kept.min.mjs");
  writeFileSync(out, "old");
  const writeBytes = async () => {
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  };
  const error = await rejects(packNodeBundle({ code: "1", metadata: metadata(), out, writeBytes }));
  assert.match(error.message, "no space left");
  assert.is(readFileSync(out, "utf8"), "old");
});

test.run();
