import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { dagIdsOf, findBundle, packBundle, readBundle } from "@parlance/bundle";
import { bytesEqual, fromHex, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const CASES = new URL("../test/cases/", import.meta.url);
const KNOWN = ["2026-06-16"];

interface FileCase {
  readonly id: string;
  readonly title: string;
  readonly input: { readonly file_hex: string };
  readonly expected: {
    readonly footer: string | Readonly<Record<string, number>>;
    readonly accepted: boolean;
    readonly dag_keys: readonly [string, string][] | null;
    readonly schema_version: string | null;
    readonly found_for?: readonly string[];
  };
  readonly parts?: Readonly<Record<"binary_hex" | "source_hex" | "metadata_hex", string>>;
}

interface SearchCase {
  readonly id: string;
  readonly title: string;
  readonly input: {
    readonly steps: readonly { op: string; path: string; hex: string; mode: string }[];
    readonly dag_id: string;
  };
  readonly expected: { readonly found: string | null; readonly schema_version?: string };
}

function load<T>(prefix: string): T[] {
  return readdirSync(CASES)
    .filter((name) => name.startsWith(prefix))
    .map((name) => JSON.parse(readFileSync(new URL(name, CASES), "utf8")) as T);
}

/** What the inspector must say, by case. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  "FTR-03": ["no-footer", "trailing-bytes"],
  "FTR-04": ["no-footer", "trailing-bytes"],
  "FTR-05": ["no-footer"],
  "FTR-07": ["out-of-bounds"],
  "FTR-08": ["no-footer"],
  "FTR-10": ["out-of-bounds"],
  "FTR-11": ["no-executable"],
  "FTR-12": ["reserved-bytes"],
  "FTR-13": ["bad-version"],
  "FTR-15": ["no-footer"],
  "FTR-20": ["bad-metadata"],
  "FTR-21": ["bad-metadata"],
  "FTR-22": ["bad-metadata"],
  "FTR-25": ["no-executable"],
};

const fileCases = load<FileCase>("FTR-");
const searchCases = load<SearchCase>("SRH-");

test("all cases are there", () => {
  assert.is(fileCases.length, 20);
  assert.is(searchCases.length, 3);
});

for (const { id, title, input, expected } of fileCases) {
  test(`${id}: ${title}`, async () => {
    const folder = temporaryFolder();
    const path = join(folder, "b");
    writeFileSync(path, fromHex(input.file_hex), { mode: 0o755 });
    const report = await readBundle(path, { knownSchemaVersions: KNOWN });
    assert.is(report.verified, expected.accepted);
    if (typeof expected.footer === "object") {
      assert.is(report.footer?.sourceLength, expected.footer["source_len"]);
      assert.is(report.footer?.metadataLength, expected.footer["metadata_len"]);
      assert.is(report.regions?.source.offset, expected.footer["source_start"]);
      assert.is(report.regions?.metadata.offset, expected.footer["metadata_start"]);
    } else {
      assert.is(report.footer, null);
    }
    const faults = report.problems.filter(({ fault }) => fault).map(({ code }) => code);
    assert.equal(faults, CODES[id] ?? []);
    if (report.metadata !== null && expected.dag_keys !== null) {
      assert.equal(
        dagIdsOf(report.metadata),
        expected.dag_keys.map(([, key]) => key),
      );
    }
    const isRefused = report.problems.some(({ code }) => code === "bad-schema-version");
    if (report.verified) assert.is(isRefused, expected.schema_version === null);
    for (const dagId of expected.found_for ?? []) {
      const found = await findBundle({ roots: [folder], dagId, knownSchemaVersions: KNOWN });
      assert.is(found.path, realpathSync(path));
      assert.is(found.schemaVersion, expected.schema_version);
    }
    if (expected.found_for === undefined) {
      const found = await findBundle({ roots: [folder], dagId: "d1", knownSchemaVersions: KNOWN });
      assert.is(found.path, null);
      // what ends with the magic is a broken bundle, other files are none
      const endsWithMagic = input.file_hex.endsWith("4146424e444c3031");
      assert.is(found.rejected.length, endsWithMagic ? 1 : 0);
    }
  });
}

test("FTR-01: the packer writes it byte for byte", async () => {
  const { parts, input } = fileCases.find(({ id }) => id === "FTR-01") as Required<FileCase>;
  const folder = temporaryFolder();
  const executable = join(folder, "exe");
  writeFileSync(executable, fromHex(parts.binary_hex));
  const out = join(folder, "out");
  const metadata = fromHex(parts.metadata_hex);
  await packBundle({ executable, metadata, sources: fromHex(parts.source_hex), out });
  bytesEqual(readFileSync(out), fromHex(input.file_hex));
});

test("FTR-03 and FTR-04: what follows the footer is told, and the mend", async () => {
  const folder = temporaryFolder();
  for (const [id, what] of [
    ["FTR-03", /1 byte follows.*line end/],
    ["FTR-04", /byte 174.*32 bytes follow.*signature.*sign first, pack last/],
  ] as const) {
    const found = fileCases.find((one) => one.id === id) as FileCase;
    const path = join(folder, id);
    writeFileSync(path, fromHex(found.input.file_hex));
    assert.match((await readBundle(path)).problems[1]?.message ?? "", what);
  }
});

for (const { id, title, input, expected } of searchCases) {
  test(`${id}: ${title}`, async () => {
    const root = temporaryFolder();
    for (const { path, hex, mode } of input.steps) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), fromHex(hex));
      chmodSync(join(root, path), Number.parseInt(mode, 8));
    }
    const found = await findBundle({
      roots: [root],
      dagId: input.dag_id,
      knownSchemaVersions: KNOWN,
    });
    const wanted = expected.found === null ? null : join(realpathSync(root), expected.found);
    assert.is(found.path, wanted);
    if (wanted !== null) assert.is(found.schemaVersion, expected.schema_version);
    if (id === "SRH-01") assert.equal(found.rejected, []);
    if (id === "SRH-04") assert.match(found.rejected[0]?.reason ?? "", /without quotes.*a date/);
  });
}

test.run();
