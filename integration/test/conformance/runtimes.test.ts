import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  type CaseVerdict,
  crossCheck,
  loadCases,
  readCapabilities,
  runSuite,
} from "@parlance/conformance";
import { type PeerName, requirePeer, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { oneVersionEach } from "./support/one-version-each.ts";

// The runtimes of examples/runtimes, built as `npm run conformance -- --runtime NAME` builds them.

type Built = { readonly argv: readonly string[] } | { readonly missing: string };

const root = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const folder = temporaryFolder("parlance-conformance");
const NEEDS: Readonly<Record<string, PeerName>> = {
  python: "celery-5.7.0",
  go: "go",
  java: "maven",
};

async function build(name: string): Promise<readonly string[]> {
  const builders = pathToFileURL(root("scripts/lib/conformance-runtimes.mjs")).href;
  const { buildRuntime } = (await import(builders)) as {
    buildRuntime: (name: string, work: string) => Promise<Built>;
  };
  const built = await buildRuntime(name, folder);
  if ("missing" in built) throw new Error(built.missing);
  return built.argv;
}

for (const [name, peer] of Object.entries(NEEDS)) {
  if (requirePeer(test, `the runtime in ${name}`, peer) === undefined) continue;
  let verdicts: readonly CaseVerdict[] = [];

  test(`the runtime in ${name} passes every MUST`, async () => {
    verdicts = await runSuite({
      runtime: { argv: await build(name) },
      cases: oneVersionEach(loadCases()),
    });
    const must = verdicts.filter((one) => one.case.tier === "must");
    const failed = must.filter((one) => one.outcome === "failed");
    assert.equal(
      failed.map((one) => [
        one.case.id,
        ...one.findings.map(({ about, message }) => `${about}: ${message}`),
      ]),
      [],
    );
    assert.ok(must.length > 100, `${must.length} verdicts`);
  });

  test(`what the runtime in ${name} declares is what was seen, both ways`, () => {
    const declared = readFileSync(root(`examples/runtimes/${name}/capabilities.yaml`), "utf8");
    assert.equal(crossCheck(readCapabilities(declared), verdicts), []);
  });
}

test.run();
