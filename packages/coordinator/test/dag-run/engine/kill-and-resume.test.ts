import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSqliteTaskStore } from "@parlance/coordinator";
import { openRunHistory } from "@parlance/coordinator/dag-run";
import { isLongRun, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const HOST = fileURLToPath(new URL("../../../test/fixtures/run-host.mjs", import.meta.url));
const folder = temporaryFolder("parlance-kill");

/** Lines of the trace after which the engine is killed: in between two of them anything may be under way. */
const KILLS = isLongRun() ? 20 : 3;
const LAST_LINE = 18;

for (let kill = 1; kill <= KILLS; kill++) {
  const after = 1 + Math.floor((kill * LAST_LINE) / KILLS + Math.random() * 3);
  test(`killed after line ${after} of its trace, a run is taken up and runs nothing twice that was done`, async () => {
    const file = join(folder, `run-${kill}.db`);
    const trace = join(folder, `trace-${kill}`);
    await host(file, trace, after);
    const before = linesOf(trace);
    const said = await host(file, trace, Infinity);
    const { state, states } = JSON.parse(said.at(-1) ?? "{}");
    assert.is(state, "success", said.join("\n"));
    assert.ok(states.every((one: string) => one === "success"));

    const seen = new Set<string>();
    const done = new Set<string>();
    for (const line of linesOf(trace)) {
      const [, what = "", name = ""] = /^(\w+) (.+)#\d+$/.exec(line) ?? [];
      seen.add(name);
      if (what === "start") assert.not(done.has(name), `${name} ran again: ${before.at(-1)}`);
      else done.add(name);
    }
    // A kill may come between a success in the store and its line here: what is done may lack its own.
    assert.is(seen.size, 8);

    const store = await openSqliteTaskStore(file);
    const history = openRunHistory(store);
    const attempts = await history.attempts({ dagId: "d", runId: "r" });
    assert.ok(attempts.every(({ endDate }) => endDate !== null));
    await store.close();
  });
}

/** Runs the host until it has said so many lines, and kills it, or to its end. */
async function host(file: string, trace: string, lines: number): Promise<string[]> {
  const child = spawn(process.execPath, [HOST, file, trace], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
    if (text.split("\n").length > lines) child.kill("SIGKILL");
  });
  await new Promise<void>((resolve) => child.on("close", () => resolve()));
  return text.trim().split("\n");
}

function linesOf(trace: string): string[] {
  return existsSync(trace) ? readFileSync(trace, "utf8").split("\n").filter(Boolean) : [];
}

test.run();
