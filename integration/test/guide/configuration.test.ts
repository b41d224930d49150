import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type PeerName, requirePeer, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readGuidePages } from "./support/guide-pages.ts";

// What the guide tells people to write into airflow.cfg, word for word, is what Airflow reads.

/** Prints which coordinator the queue leads to; 3.4 checks the Dag bundle's name. */
const LOOK_UP = `
import json
from airflow.sdk.execution_time.coordinator import CoordinatorManager
coordinator = CoordinatorManager.from_config().for_queue("typescript")
names = ("executables_root", "task_handler_bundle_name", "node_executable")
found = {name: getattr(coordinator, name) for name in names if hasattr(coordinator, name)}
print(json.dumps([type(coordinator).__name__, found], default=str))
`;

for (const { path, blocks } of await readGuidePages()) {
  for (const { kind, rest, text, line } of blocks) {
    if (kind !== "airflow") continue;
    const label = `${path}:${line} is read by Airflow ${rest}`;
    const python = requirePeer(test, label, `airflow-${rest}` as PeerName);
    if (python === undefined) continue;
    test(label, async () => {
      const home = temporaryFolder("parlance-guide-configuration");
      writeFileSync(join(home, "airflow.cfg"), text);
      const env = { PATH: process.env["PATH"], AIRFLOW_HOME: home };
      const { stdout } = await promisify(execFile)(python, ["-c", LOOK_UP], { env });
      const [name, found] = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as [string, object];
      const [classpath = "", kwargs = ""] =
        /"classpath": "(airflow\.sdk[\w.]+)", "kwargs": (\{[^}]+\})/.exec(text)?.slice(1) ?? [];
      assert.is(name, classpath.split(".").at(-1));
      for (const [option, value] of Object.entries(JSON.parse(kwargs) as object)) {
        assert.equal((found as { [option: string]: unknown })[option], value, option);
      }
    });
  }
}

test.run();
