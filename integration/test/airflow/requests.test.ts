import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import {
  ArgvCoordinator,
  MemoryTaskStore,
  openSqliteTaskStore,
  seedStore,
  type TaskStore,
} from "@parlance/coordinator";
import { requirePeer, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { DAG_RUNS, DIFFERENCES, REQUESTS, TASK_INSTANCES } from "./support/api-requests.ts";

// The same requests to the supervisor of Airflow 3.3.2, over its API server and a database, and to ours.

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const SCRIPT = at("../../../packages/test-kit/peers/airflow/api_answers.py");
const DAGS = at("../../test/airflow/fixtures/api-dags");
const ASK_ALL = at("../../test/airflow/fixtures/ask-all.mjs");
const folder = temporaryFolder("parlance-requests");
const seed = { dag_runs: DAG_RUNS, task_instances: TASK_INSTANCES };

interface Answer {
  readonly body: unknown;
  readonly error: unknown;
}

const python = requirePeer(test, "the requests of a task", "airflow-3.3.2");
if (python !== undefined) {
  let airflow: Answer[] = [];

  test.before(async () => {
    const asking = spawn(python, [SCRIPT, DAGS], { stdio: ["pipe", "pipe", "pipe"] });
    asking.stdin.end(JSON.stringify({ ...seed, requests: REQUESTS }));
    const [said, complaints] = await Promise.all([text(asking.stdout), text(asking.stderr)]);
    const lines = said.split("\n").filter((line) => line.startsWith("ANSWER "));
    assert.is(lines.length, REQUESTS.length, complaints.slice(-3_000));
    airflow = lines.map((line) => JSON.parse(line.slice(7)) as Answer);
  });

  for (const [kind, open] of [
    ["memory", async () => new MemoryTaskStore()],
    ["sqlite", () => openSqliteTaskStore(join(folder, "store.db"))],
  ] as const) {
    test(`${kind}: every request is answered as Airflow's supervisor and server answer it`, async () => {
      const ours = await askOurs(kind, await open());
      const differences = new Map(DIFFERENCES.map(([request, why]) => [shown(request), why]));
      const wrong: string[] = [];
      for (const [index, request] of REQUESTS.entries()) {
        const theirs = shown(comparable(airflow[index]));
        const own = shown(comparable(ours[index]));
        if (differences.delete(shown(request))) {
          assert.is.not(own, theirs, `${shown(request)} is the same: no difference`);
        } else if (own !== theirs) wrong.push(`${shown(request)}\n  ${theirs}\n  ${own}`);
      }
      assert.equal(wrong, []);
      assert.is(differences.size, 0);
    });
  }
}

async function askOurs(kind: string, store: TaskStore): Promise<Answer[]> {
  await seedStore(store, { ...seed, assets: [{ name: "a", uri: "s3://b/a" }] }, { dagId: "d" });
  const [requests, answers] = [join(folder, "requests.json"), join(folder, `${kind}.ndjson`)];
  writeFileSync(requests, JSON.stringify(REQUESTS));
  const coordinator = new ArgvCoordinator({ argv: [process.execPath, ASK_ALL, requests, answers] });
  const { finalState, error } = await coordinator.executeTask({
    taskInstance: { dagId: "d", taskId: "t", runId: "r", tryNumber: 1 },
    dagRun: {
      logicalDate: new Date("2026-06-16T00:00:00Z"),
      startDate: new Date("2026-06-16T00:00:00Z"),
    },
    store,
  });
  await store.close();
  assert.is(finalState, "success", JSON.stringify(error));
  const lines = readFileSync(answers, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Answer);
}

const shown = (value: unknown): string => JSON.stringify(value);

/** Keys in one order, and what the moment of the run decides left out. */
function comparable(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => comparable(item));
  if (typeof value !== "object" || value === null) return key === "id" ? "ID" : value;
  const { $ts: moment } = value as { readonly $ts?: string };
  if (moment !== undefined) return moment < "2026-07" ? moment : "NOW";
  const fields = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(fields.map(([name, item]) => [name, comparable(item, name)]));
}

test.run();
