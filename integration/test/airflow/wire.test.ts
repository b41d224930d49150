import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  type AirflowVersion,
  requirePeer,
  type SuperviseResult,
  superviseTasks,
  temporaryFolder,
} from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { EXAMPLE, PARLANCE, pack } from "./support/pack.ts";
import { readable } from "./support/records.ts";
import { SEED } from "./support/sales-pipeline.ts";

// The example under a real supervisor, once by itself and once with `wire record` in between; then
// what was recorded is played to the same program.

const run = promisify(execFile);
const LAUNCHER = fileURLToPath(
  new URL("../../../examples/runtimes/airflow-python/launcher.py", import.meta.url),
);
const bundlesRoot = await pack(`${EXAMPLE}src/tasks.ts`, "sales-pipeline");
const program = join(bundlesRoot, "sales-pipeline");
const SECRETS = ["wh-password-1", "extra-secret-1", "warehouse-user"];
const store = {
  ...SEED,
  connections: {
    sales_warehouse: {
      ...SEED.connections?.["sales_warehouse"],
      login: "warehouse-user",
      password: "wh-password-1",
      extra: '{"token": "extra-secret-1"}',
    },
  },
};
const ATTEMPTS = [
  ["extract", 1, 0],
  ["summarize", 1, 0],
  ["publish", 1, 1],
  ["publish", 2, 1],
  ["report", 1, 0],
] as const;

/** A bundle whose program is a script that has the packed example recorded. */
async function recorded(transcripts: string): Promise<string> {
  const folder = temporaryFolder("parlance-recorded");
  const out = join(transcripts, "{dag}.{task}.{try}.ndjson");
  const command = `"${process.execPath}" "${PARLANCE}" wire record --keep-variables --out "${out}" -- "${program}" "$@"`;
  const script = join(temporaryFolder(), "script");
  writeFileSync(script, `#!/bin/sh\nexec ${command}\n`, { mode: 0o755 });
  const { stdout } = await run(process.execPath, [
    PARLANCE,
    "bundle",
    "inspect",
    program,
    "--json",
  ]);
  const metadata = join(temporaryFolder(), "metadata.json");
  writeFileSync(metadata, JSON.stringify(JSON.parse(stdout).metadata));
  const words = ["bundle", "pack", "--executable", script, "--metadata", metadata];
  await run(process.execPath, [PARLANCE, ...words, "--out", join(folder, "recorded")]);
  return folder;
}

async function supervise(
  version: AirflowVersion,
  root: string,
): Promise<readonly SuperviseResult[]> {
  return await superviseTasks({
    version,
    launch: { bundlesRoot: root },
    store,
    settings: { heartbeatIntervalSeconds: 1 },
    tasks: ATTEMPTS.map(([taskId, tryNumber, maxTries]) => ({
      dagId: "sales_pipeline",
      taskId,
      tryNumber,
      maxTries,
      keepStore: true,
    })),
  });
}

const outcome = ({
  finalState,
  exitCode,
  serverState,
  xcoms,
  variables,
  taskLog,
}: SuperviseResult) => ({
  finalState,
  exitCode,
  serverState,
  xcoms,
  variables,
  log: JSON.stringify(readable(taskLog)).replace(/"lineno":\d+|"filename":"[^"]*"/g, ""),
});

for (const version of ["3.3.2", "3.4.0b2"] as const) {
  const label = `Airflow ${version}: wire record and replay`;
  if (requirePeer(test, label, `airflow-${version}`) === undefined) continue;
  test(label, async () => {
    const transcripts = temporaryFolder("parlance-transcripts");
    const [plain, between] = await Promise.all([
      supervise(version, bundlesRoot),
      supervise(version, await recorded(transcripts)),
    ]);
    for (const [index, result] of between.entries()) {
      assert.is(result.supervisorError, null);
      assert.equal(result.leftoverChildren, []);
      assert.equal(outcome(result), outcome(plain[index] as SuperviseResult));
    }
    const names = readdirSync(transcripts);
    assert.is(names.length, ATTEMPTS.length);
    for (const name of names) {
      const path = join(transcripts, name);
      assert.is(statSync(path).mode & 0o777, 0o600);
      const text = readFileSync(path, "utf8");
      for (const secret of SECRETS) assert.not(text.includes(secret), `${name} has ${secret}`);
      const replay = ["wire", "replay", path, "--json", "--", program];
      const { stdout } = await run(process.execPath, [PARLANCE, ...replay]).catch((error) => error);
      const result = JSON.parse(stdout);
      assert.is(result.equal, true, `${name}: ${stdout}`);
      assert.is(result.exitCode, 0);
    }
  });
}

const LABEL =
  "the task runner of Airflow 3.4.0b2, whose frames have four elements, recorded and played to";
const python = requirePeer(test, LABEL, "airflow-3.4.0b2");
if (python !== undefined) {
  test(LABEL, async () => {
    const folder = temporaryFolder();
    const [out, seed] = [join(folder, "t.ndjson"), join(folder, "seed.json")];
    writeFileSync(seed, '{"variables":{"greeting":"a-secret-greeting"}}');
    const dags = fileURLToPath(new URL("../../test/airflow/fixtures/python-dags", import.meta.url));
    const runtime = [python, LAUNCHER, "--dags", dags];
    const record = [process.execPath, PARLANCE, "wire", "record", "--out", out, "--", ...runtime];
    const options = [
      "--startup-timeout",
      "60",
      "--schema-version",
      "2026-10-30",
      "--seed-store",
      seed,
    ];
    const env = { ...process.env, AIRFLOW_HOME: join(folder, "home") };
    const words = [
      "run",
      "--dag",
      "greets",
      "--task",
      "say",
      "--json",
      "--inherit-env",
      ...options,
    ];
    const task = await run(process.execPath, [PARLANCE, ...words, "--", ...record], { env });
    assert.equal(JSON.parse(task.stdout).tasks[0].xcoms.return_value, {
      greeting: "a-secret-greeting",
      half: 0.5,
    });
    const text = readFileSync(out, "utf8");
    assert.not(text.includes("a-secret"));
    const frames = text.match(/^.*"to-supervisor".*"elements":4,"more":\[null\].*$/gm);
    assert.ok((frames?.length ?? 0) >= 4, text);
    const replay = ["wire", "replay", out, "--json", "--timeout", "60", "--", ...runtime];
    const { stdout } = await run(process.execPath, [PARLANCE, ...replay], { env }).catch(
      (error) => error,
    );
    assert.equal(JSON.parse(stdout), { equal: true, frames: frames?.length, exitCode: 0 });
  });
}

test.run();
