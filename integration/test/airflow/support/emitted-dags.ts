import { execFile } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isLongRun, type StackRun } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { PARLANCE, pack } from "./pack.ts";

// examples/native-dag, whose Dags have no Python of their own: what `parlance dag emit` writes for them is run.

const ENTRY: string = fileURLToPath(
  new URL("../../../../examples/native-dag/src/main.ts", import.meta.url),
);

/** Its Dags, the one that starts the other by an asset first. */
export const EMITTED_DAGS = ["orders_pipeline", "orders_report"] as const;
/** Those that `airflow dags test` runs as well: the larger one, which takes a minute, in the long run alone. */
export const TESTED_DAGS: readonly string[] = isLongRun() ? EMITTED_DAGS : ["orders_report"];

/** Writes the Dags' Python into one folder, and their bundle into the other. */
export async function emitAndPack(dagsDir: string, bundlesRoot: string): Promise<void> {
  const words = [PARLANCE, "dag", "emit", ENTRY, "--out", dagsDir];
  await promisify(execFile)(process.execPath, words);
  copyFileSync(
    join(await pack(ENTRY, "native-dag"), "native-dag"),
    join(bundlesRoot, "native-dag"),
  );
}

/** @param runsOf - of a Dag, in order; that of `airflow dags test` is the last one */
export function registerEmittedDagTests(
  label: string,
  runsOf: (dagId: string) => Promise<readonly StackRun[]>,
): void {
  const pipeline = async () => (await runsOf("orders_pipeline"))[0] as StackRun;

  test(`${label} runs an emitted Dag: a branch, a group, a mapped task, a short circuit`, async () => {
    const run = await pipeline();
    assert.is(run.state, "success", JSON.stringify(run.logs));
    assert.equal(statesOf(run), [
      "checks.amounts success 1",
      "checks.ids success 1",
      "choose success 1",
      "customers success 1",
      "extract success 2",
      "finish success 1",
      "invoice[0] success 1",
      "invoice[1] success 1",
      "invoice[2] success 1",
      "invoice[3] success 1",
      "invoice[4] success 1",
      "invoice[5] success 1",
      "is_large success 1",
      "nothing_to_do skipped 0",
      "publish success 1",
      "tell_sales success 1",
    ]);
  });

  test(`${label} hands values on in an emitted Dag, as the program declares its inputs`, async () => {
    const { xcoms } = await pipeline();
    const value = (taskId: string, mapIndex = -1) =>
      xcoms.find((row) => {
        return row.taskId === taskId && row.mapIndex === mapIndex && row.key === "return_value";
      })?.value;
    assert.equal(value("checks.amounts"), { total: 215_775, largest: 129_900 });
    assert.equal(value("invoice", 3), { name: "Zoë Müller.csv", cents: 8_850 });
    const people = ["Åsa Öberg", "Zoë Müller", "Łukasz Nowak"];
    const names = people.flatMap((name) => [`${name}.pdf`, `${name}.csv`]);
    assert.equal(value("publish"), names);
    // What Airflow itself looks for when a task behind a branch is cleared.
    const followed = xcoms.find(
      ({ taskId, key }) => taskId === "choose" && key === "skipmixin_key",
    );
    assert.equal(followed?.value, { followed: ["checks.ids"] });
  });

  test(`${label} waits before the second try as the emitted back-off says`, async () => {
    const { history } = await pipeline();
    const [first, second] = history.filter(({ taskId }) => taskId === "extract");
    assert.equal([first?.state, second?.state], ["failed", "success"]);
    // ceil(1 s * 2.0^0) = 1 s, and as much again at most; when the scheduler looks is its own matter.
    const waited = Date.parse(String(second?.startDate)) - Date.parse(String(first?.endDate));
    assert.ok(waited >= 1_000, `waited ${waited} ms`);
  });

  test(`${label} starts an emitted Dag when the asset of another one was updated`, async () => {
    const [started] = await runsOf("orders_report");
    assert.match(String(started?.runId), /^asset_triggered__/);
    assert.equal([started?.state, statesOf(started)], ["success", ["count success 1"]]);
  });

  if (isLongRun()) {
    test(`${label} runs a large emitted Dag by airflow dags test as the scheduler does`, async () => {
      const [scheduled, tested] = await runsOf("orders_pipeline");
      assert.equal([tested?.state, statesOf(tested)], ["success", statesOf(scheduled)]);
    });
  }

  test(`${label} runs an emitted Dag by airflow dags test`, async () => {
    const tested = (await runsOf("orders_report")).at(-1);
    assert.match(String(tested?.runId), /^manual__/);
    assert.equal([tested?.state, statesOf(tested)], ["success", ["count success 1"]]);
    assert.is(typeof tested?.xcoms.find(({ taskId }) => taskId === "count")?.value, "number");
  });
}

function statesOf(run: StackRun | undefined): readonly string[] {
  return (run?.tasks ?? [])
    .map(({ taskId, mapIndex, state, tryNumber }) => {
      return `${taskId}${mapIndex < 0 ? "" : `[${mapIndex}]`} ${state} ${tryNumber}`;
    })
    .sort();
}
