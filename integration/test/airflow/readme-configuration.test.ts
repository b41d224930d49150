import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { requirePeer, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

// What the README tells people to write into airflow.cfg, word for word, is what Airflow reads.

const README = fileURLToPath(new URL("../../../README.md", import.meta.url));
const FOLDER = "/opt/airflow/executables";

/** Prints which coordinator the queue leads to, and its arguments; 3.4 checks the Dag bundle's name. */
const LOOK_UP = `
import json
from airflow.sdk.execution_time.coordinator import CoordinatorManager
coordinator = CoordinatorManager.from_config().for_queue("typescript")
fields = ("executables_root", "task_handler_bundle_name")
found = {field: getattr(coordinator, field, None) for field in fields}
print(json.dumps([type(coordinator).__name__, found], default=str))
`;

const blocks = [...readFileSync(README, "utf8").matchAll(/^```ini\n([\s\S]*?)^```/gm)];

for (const [index, version, place] of [
  [0, "3.3.2", FOLDER],
  [1, "3.4.0b2", "executables"],
] as const) {
  const label = `Airflow ${version} reads the README's configuration`;
  const peer = requirePeer(test, label, `airflow-${version}`);
  if (peer === undefined) continue;
  test(label, () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "airflow.cfg"), blocks[index]?.[1] ?? "");
    const run = spawnSync(peer, ["-c", LOOK_UP], {
      env: { PATH: process.env["PATH"], AIRFLOW_HOME: home },
      encoding: "utf8",
    });
    assert.is(run.status, 0, run.stderr);
    const [name, fields] = JSON.parse(run.stdout.trim().split("\n").at(-1) ?? "");
    assert.is(name, "ExecutableCoordinator");
    assert.ok(JSON.stringify(fields).includes(`"${place}"`), JSON.stringify(fields));
  });
}

test.run();
