import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { requirePeer, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readGuidePages } from "./support/guide-pages.ts";

// The Dags of the guide, loaded by the real Airflow in one process: each has a stub, and each stub has a
// handler in a program of the same page.

const STUB_TASKS = fileURLToPath(
  new URL("../../../packages/test-kit/peers/airflow/stub_tasks.py", import.meta.url),
);

const pages = await readGuidePages();
const blocks = pages.flatMap((page) => page.blocks.map((block) => ({ page, ...block })));
const dags = blocks.filter(({ language }) => language === "python");

test("every block of Python is a Dag file with a name", () => {
  for (const { page, kind, rest, line } of dags) {
    assert.ok(kind === "file" && rest?.startsWith("dags/"), `${page.path}:${line}`);
  }
});

const label = "the Dags of the guide on Airflow 3.3.2";
const python = requirePeer(test, label, "airflow-3.3.2");
if (python !== undefined) {
  test(label, async () => {
    const folder = temporaryFolder("parlance-guide-dags");
    const files = dags.map(({ page, rest, text }) => {
      const file = join(folder, page.name, String(rest));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    });
    const { stdout } = await promisify(execFile)(python, [STUB_TASKS, ...files]);
    const loaded = JSON.parse(stdout) as { [dagId: string]: { [taskId: string]: object } }[];
    for (const [index, { page }] of dags.entries()) {
      const stubs = Object.entries(loaded[index] ?? {}).flatMap(([dagId, tasks]) =>
        Object.keys(tasks).map((taskId) => [dagId, taskId] as const),
      );
      assert.ok(stubs.length > 0, `${page.path}: a Dag without stubs`);
      for (const [dagId, taskId] of stubs) {
        const words = new RegExp(
          `"${dagId}",\\s*"${taskId}"|dag\\("${dagId}"[^]*"${taskId.split(".").at(-1)}"`,
        );
        const isHandled = page.blocks.some(
          ({ language, text }) => language === "ts" && words.test(text),
        );
        assert.ok(isHandled, `${page.path}: nothing handles ${dagId}.${taskId}`);
      }
    }
  });
}

test.run();
