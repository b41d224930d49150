import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  type Capabilities,
  type CaseVerdict,
  crossCheck,
  loadCases,
  readCapabilities,
  runSuite,
} from "@parlance/conformance";
import { SCHEMA_VERSIONS, type SchemaVersion } from "@parlance/protocol";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { oneVersionEach } from "./support/one-version-each.ts";

const root = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
/** JavaScript has one type of number: 1.0 is read as 1, and no language that has two should do so. */
const NOT_CLAIMED = ["values/whole-floats"];
const CASES = oneVersionEach(loadCases());
const folder = temporaryFolder("parlance-conformance");

/** Each pack holds the bundle to the schema version that it was made for. */
async function verdictsOf(version: SchemaVersion): Promise<readonly CaseVerdict[]> {
  const bundle = join(folder, version);
  await promisify(execFile)(process.execPath, [
    root("packages/cli/bin/parlance.js"),
    ...["pack", root("examples/conformance/src/tasks.ts"), "--out", bundle],
    ...["--schema-version", version],
  ]);
  return await runSuite({
    runtime: { argv: [bundle] },
    cases: CASES,
    versions: [version],
    isDeclared: isDeclared(),
    all: true,
  });
}

function declared(): Capabilities {
  return readCapabilities(readFileSync(root("packages/sdk-node/capabilities.yaml"), "utf8"));
}

function isDeclared(): (dimension: string) => boolean {
  const { dimensions } = declared();
  return (name) => dimensions.get(name)?.supported === true;
}

const all: CaseVerdict[] = [];
for (const version of SCHEMA_VERSIONS) {
  test(`every case, packed for ${version}: the SDK does what it claims`, async () => {
    const verdicts = await verdictsOf(version);
    all.push(...verdicts);
    const failed = verdicts.filter(
      (one) => one.outcome === "failed" && !NOT_CLAIMED.includes(one.case.id),
    );
    assert.equal(
      failed.map((one) => [
        one.case.id,
        ...one.findings.map(({ about, message }) => `${about}: ${message}`),
      ]),
      [],
    );
    assert.ok(verdicts.length > 80, `${verdicts.length} verdicts`);
  });
}

test("what it declares is what was seen, both ways", () => {
  assert.equal(crossCheck(declared(), all), []);
});

test.run();
