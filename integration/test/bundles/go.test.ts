import { join } from "node:path";
import { requirePeer } from "@parlance/test-kit";
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

  test("the commands of the README of the Go example print what it says", async () => {
    const { code, stdout, stderr, promised } = await followed();
    assert.is(code, 0, stderr);
    assert.equal(stdout, promised);
  });

  for (const version of ["3.3.2", "3.4.0b2"] as const) {
    const label = "the Go example";
    if (requirePeer(test, `${label} on Airflow ${version}`, `airflow-${version}`) !== undefined) {
      registerStockTests(test, version, label, async () => {
        return { bundlesRoot: join((await followed()).folder, "build/bundles") };
      });
    }
  }
}

test.run();
