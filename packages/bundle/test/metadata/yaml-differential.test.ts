import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isLongRun, requirePeer, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { assertReadAlike, readRows } from "../support/yaml-rows.ts";

const data = new URL("../../test/data/", import.meta.url);
const MAKER = fileURLToPath(new URL("make-yaml-golden.py", data));
const COUNT = 20_000;

test("random texts are read as PyYAML reads them (recorded)", () => {
  const rows = readRows(new URL("yaml-random.json", data));
  assert.ok(rows.length > 900, `${rows.length} texts`);
  for (const row of rows) assertReadAlike(row);
});

if (isLongRun()) {
  const label = "random texts are read as the PyYAML of Airflow 3.3.2 reads them";
  const python = requirePeer(test, label, "airflow-3.3.2");
  if (python !== undefined) {
    const seed = String(Math.floor(Math.random() * 1e9));
    test(`${label} (--seed ${seed})`, () => {
      const out = join(temporaryFolder(), "rows.json");
      const args = [MAKER, "--fuzz", String(COUNT), "--seed", seed, out];
      const made = spawnSync(python, args, { encoding: "utf8" });
      assert.is(made.status, 0, made.stderr);
      for (const row of readRows(out)) assertReadAlike(row);
    });
  }
}

test.run();
