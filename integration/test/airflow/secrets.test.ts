import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  type HarnessLogRecord,
  requirePeer,
  superviseTasks,
  temporaryFolder,
} from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { fixture, PARLANCE, pack } from "./support/pack.ts";
import { readable } from "./support/records.ts";

// Whatever a real supervisor masks, ours masks as well.

const store = {
  connections: {
    c: {
      conn_type: "http",
      host: "h",
      schema: null,
      login: "user-name",
      port: 1,
      password: 'Pä"ss\\word/!1',
      extra: '{"region": "eu-west", "token": "in-the-extra"}',
    },
  },
  variables: {
    api_token: "tok-1234567",
    "My-API-Key": "key-1234567",
    plain: "nothing-secret",
    short_secret: "abcd",
  },
};

const bundlesRoot = await pack(fixture("secrets.ts"), "secrets");

/** What a record shows, by the place in which the task put it. */
function shown(records: readonly HarnessLogRecord[]): Map<string, string> {
  const byPlace = new Map<string, string>();
  for (const record of readable(records) as HarnessLogRecord[]) {
    const { event, logger, level: _level, ...fields } = record;
    const [kind, which] = String(event).split(" ");
    byPlace.set(`${logger} ${kind} ${which}`, JSON.stringify({ event, ...fields }));
  }
  return byPlace;
}

async function ours(): Promise<Map<string, string>> {
  const seed = join(temporaryFolder(), "seed.json");
  writeFileSync(seed, JSON.stringify(store));
  const words = ["--dag", "secrets", "--task", "say", "--json", "--seed-store", seed];
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[PARLANCE, "run", join(bundlesRoot, "secrets")],
    ...words,
  ]);
  return shown(JSON.parse(stdout).tasks[0].logs);
}

for (const version of ["3.3.2", "3.4.0b2"] as const) {
  const label = `Airflow ${version}: secrets`;
  if (requirePeer(test, label, `airflow-${version}`) === undefined) continue;
  test(`${label}: what the real supervisor masks is masked by ours`, async () => {
    const [result] = await superviseTasks({
      version,
      launch: { bundlesRoot },
      store,
      tasks: [{ dagId: "secrets", taskId: "say" }],
    });
    assert.is(result?.serverState, "success");
    const real = shown(result?.taskLog ?? []);
    const own = await ours();
    assert.ok(real.size > 50, `${real.size} records`);
    let masked = 0;
    for (const [place, text] of real) {
      const mine = own.get(place);
      assert.ok(mine !== undefined, place);
      const hidden = text.split("***").length;
      if (hidden > 1) masked += 1;
      assert.ok(mine.split("***").length >= hidden, `${place}: ${text} is ${mine} here`);
    }
    assert.ok(masked > 40, `${masked} records were masked`);
    // Nor is everything blotted out.
    assert.match(own.get("task text 4") ?? "", "nothing-secret");
    assert.match(own.get("task name user") ?? "", "the-value");
  });
}

test.run();
