import { join } from "node:path";
import { parseDagFiles, requirePeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type FollowedExample, followReadme } from "./support/example.ts";
import { registerStockTests } from "./support/stock-cases.ts";

// The Go example: built, packed and run by the commands of its README, then under the real
// ExecutableCoordinators.

const go = requirePeer(test, "the Go example", "go");

if (go !== undefined) {
  let following: Promise<FollowedExample> | undefined;
  const followed = () => {
    following ??= followReadme("go", go);
    return following;
  };

  const bundlesRoot = async () => join((await followed()).folder, "build/bundles");

  test("the commands of the README of the Go example print what it says", async () => {
    const { code, stdout, stderr, promised } = await followed();
    assert.is(code, 0, stderr);
    assert.equal(stdout, promised);
  });

  for (const version of ["3.3.2", "3.4.0b2"] as const) {
    const label = "the Go example";
    if (requirePeer(test, `${label} on Airflow ${version}`, `airflow-${version}`) !== undefined) {
      registerStockTests(test, version, label, async () => ({ bundlesRoot: await bundlesRoot() }));
    }
  }

  const label = "the Go example is asked for Dags of its own by Airflow 3.4.0b2, and has none";
  if (requirePeer(test, label, "airflow-3.4.0b2") !== undefined) {
    test(label, async () => {
      const launch = { bundlesRoot: await bundlesRoot() };
      const [parsed] = await parseDagFiles({ launch, files: ["stock"] });
      assert.is(parsed?.supervisorError, null);
      assert.equal(parsed?.result?.serialized_dags, []);
      assert.equal(parsed?.result?.import_errors ?? {}, {});
    });
  }
}

test.run();
