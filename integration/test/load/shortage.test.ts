import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Played, withPerl } from "./support/load-coordinator.ts";

const HOST = fileURLToPath(new URL("fixtures/short-host.js", import.meta.url));

/** The host itself fails when it is left with a descriptor, a process or a handle more. */
async function host(scene: string, descriptors: number): Promise<Played[]> {
  const script = `ulimit -n ${descriptors}; exec "$@"`;
  const args = ["-c", script, "sh", process.execPath, HOST, scene];
  const { stdout } = await promisify(execFile)("/bin/sh", args, { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}

function ends(played: readonly Played[]): string[] {
  return played.map(({ result }) => result.error?.code ?? result.finalState);
}

withPerl(test, "a coordinator that is short of descriptors", () => {
  test("a start without a descriptor left fails at once, says why, and takes none away", async () => {
    const played = await host("ascending", 256);
    const codes = ends(played);
    assert.is(codes[0], "listen-failed");
    const first = codes.indexOf("success");
    assert.ok(first > 2 && first <= 20, codes.join());
    assert.equal([...new Set(codes.slice(first))], ["success"], "from then on there are enough");
    assert.equal([...new Set(codes.slice(0, first))], ["listen-failed", "spawn-failed"]);
    for (const { result, state } of played.slice(0, first)) {
      assert.match(result.error?.message ?? "", /EMFILE.*ulimit -n/);
      assert.is(state, "failed");
      assert.ok(result.durationMs < 20_000);
    }
  });

  test("more tasks than there are descriptors for: some run, the others say why, none is stuck", async () => {
    const played = await host("crowd", 160);
    const codes = ends(played);
    assert.ok(codes.includes("success"), codes.join());
    for (const { result, state } of played) {
      assert.is(state, result.finalState);
      if (result.finalState !== "success") assert.match(result.error?.message ?? "", "EMFILE");
    }
  });

  test("tasks are ended also when no descriptor is left to look for their processes", async () => {
    const played = await host("abort", 256);
    assert.equal(ends(played), ["failed", "failed", "failed", "failed", "failed"]);
    for (const { result } of played) assert.ok([-15, -9].includes(Number(result.exitCode)));
  });
});

test.run();
