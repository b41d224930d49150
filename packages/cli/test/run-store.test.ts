import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSqliteTaskStore } from "@parlance/coordinator";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parlance } from "./support/cli.ts";

const ASKS_BADLY = fileURLToPath(new URL("../test/fixtures/asks-badly.mjs", import.meta.url));
const folder = temporaryFolder();

test("--strict-airflow: what Airflow leaves without an answer has none, and a warning says so", async () => {
  const command = ["run", "--dag", "d", "--task", "t", "--json", "--strict-airflow", "--"];
  const run = await parlance([...command, process.execPath, ASKS_BADLY]);
  assert.is(run.code, 0, run.stderr);
  const [task] = (JSON.parse(run.stdout) as { tasks: { logs: { event: string }[] }[] }).tasks;
  const [warning, said] = task?.logs.map(({ event }) => event) ?? [];
  assert.is(said, "silence");
  assert.match(String(warning), /Airflow would leave request \d+ without an answer: .*Nonsense/);
});

test("a run that is over is so in the store, and the seed's runs and assets are there too", async () => {
  const file = join(folder, "store.db");
  const seed = join(folder, "seed.json");
  const dag_runs = [{ run_id: "before", logical_date: "2026-06-15T00:00:00Z" }];
  writeFileSync(seed, JSON.stringify({ dag_runs, assets: [{ name: "a" }] }));
  const flags = ["--store", `sqlite:${file}`, "--seed-store", seed, "--json"];
  const entry = ["run", "test/fixtures/tasks.ts"];
  await parlance([...entry, "--dag", "numbers", "--run-id", "good", ...flags]);
  await parlance([...entry, "--dag", "failures", "--run-id", "bad", ...flags]);
  const store = await openSqliteTaskStore(file);
  const dump = await store.dump();
  await store.close();
  const states = dump.dagRuns.map(({ dagId, runId, state, endDate }) => {
    return `${dagId} ${runId} ${state} ${endDate !== null}`;
  });
  assert.equal(states.sort(), [
    "failures bad failed true",
    "failures before success false",
    "numbers before success false",
    "numbers good success true",
  ]);
  assert.equal(
    dump.assets.map(({ name }) => name),
    ["a"],
  );
  const tries = dump.taskInstanceHistory.map(({ taskId, state }) => `${taskId} ${state}`);
  assert.ok(tries.length > 0 && tries.every((each) => each.endsWith("up_for_retry")), `${tries}`);
  assert.not(dump.taskInstances.some(({ state }) => state === "running"));
});

test.run();
