import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findBundle, packBundle, verifyBundle } from "@parlance/bundle";
import { fromHex, requirePeer, temporaryFolder, toHex } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { CHECK_CASES } from "./support/check-cases.ts";
import { RealReaders } from "./support/real-readers.ts";

// The table of docs/afbndl01.md is measured: each row is a file, each cell what is made of it.

const PAGE = new URL("../../../docs/afbndl01.md", import.meta.url);
const KNOWN = ["2026-06-16", "2026-10-30"];

const folder = temporaryFolder("parlance-checks");

/** Rows by their first cell; the other cells by column. */
function readTable(): ReadonlyMap<string, readonly string[]> {
  const [, table = ""] =
    /<!-- checks\.test\.ts -->\n\n([\s\S]*?)\n\n/.exec(readFileSync(PAGE, "utf8")) ?? [];
  const rows = table.split("\n").map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return new Map(rows.slice(2).map(([name = "", ...cells]) => [name, cells]));
}

test("the bytes on the page are those that are packed", async () => {
  const [, hex = ""] = /```hex\n([\s\S]*?)```/.exec(readFileSync(PAGE, "utf8")) ?? [];
  const bytes = fromHex(hex.replace(/;.*$/gm, "").replace(/\s/g, ""));
  const [executable, out] = [join(folder, "example"), join(folder, "example-bundle")];
  writeFileSync(executable, bytes.subarray(0, 17));
  const [sources, metadata] = [bytes.subarray(17, 27), bytes.subarray(27, 99)];
  await packBundle({ executable, sources, metadata, out });
  assert.is(toHex(readFileSync(out)), toHex(bytes));
  assert.equal((await verifyBundle(out)).faults, []);
});

const table = readTable();
const files = Object.entries(CHECK_CASES).map(([name, { bytes, mode = 0o755 }], at) => {
  const path = join(folder, String(at).padStart(2, "0"));
  writeFileSync(path, bytes, { mode });
  return { name, path, dagId: name.includes("`on`") ? "on" : "d1" };
});

test("the table has the rows that are measured", () => {
  assert.equal([...table.keys()], Object.keys(CHECK_CASES));
});

for (const [column, version] of ["3.3.2", "3.4.0b2"].entries()) {
  const label = `what Airflow ${version} makes of each file`;
  const python = requirePeer(test, label, `airflow-${version as "3.3.2"}`);
  if (python === undefined) continue;
  test(label, async () => {
    const real = new RealReaders(python);
    try {
      // Copies: 3.4 sets execute bits.
      const copies = files.map((file) => ({ ...file, path: `${file.path}-${version}` }));
      for (const [at, { path }] of copies.entries()) {
        const { mode = 0o755 } = CHECK_CASES[files[at]?.name ?? ""] ?? {};
        writeFileSync(path, readFileSync(files[at]?.path ?? ""), { mode });
      }
      for (const [at, { found }] of (await real.read("executable", copies)).entries()) {
        const told = found === null ? "passes over" : typeof found === "string" ? "takes" : "ends";
        const { name } = files[at] as (typeof files)[number];
        assert.is(told, table.get(name)?.[column], name);
      }
    } finally {
      real.end();
    }
  });
}

test("what our search and our verification make of each file", async () => {
  for (const { name, path, dagId } of files) {
    const found = await findBundle({ roots: [path], dagId, knownSchemaVersions: KNOWN });
    const why = found.rejected.length > 0 ? "says why" : "passes over";
    assert.is(found.path === null ? why : "takes", table.get(name)?.[2], name);
    const { faults, warnings } = await verifyBundle(path, { knownSchemaVersions: KNOWN });
    const told = [...faults, ...warnings].map(({ code }) => `\`${code}\``).join(" ");
    assert.is(told || "—", table.get(name)?.[3], name);
  }
});

test.run();
