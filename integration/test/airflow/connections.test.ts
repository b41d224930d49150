import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { load, requirePeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readConnection } from "../../../packages/sdk-node/dist/lookups/read-connection.js";
import { Random } from "./support/random.ts";
import { randomConnectionText } from "./support/random-connections.ts";

// What the Node SDK reads from AIRFLOW_CONN_… against what the real Airflow reads: the recorded vectors
// of its unit tests, and random texts.

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const SCRIPT = at("packages/test-kit/peers/airflow/connection_forms.py");
const GOLDEN = at("packages/sdk-node/test/data/connections.json");

interface Answer {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly uri?: string;
  readonly error?: string;
}

function ask(python: string, args: readonly string[], input: string): string {
  const options = { encoding: "utf8", input, maxBuffer: 2 ** 28 } as const;
  const { status, stdout, stderr } = spawnSync(python, [SCRIPT, ...args], options);
  assert.is(status, 0, stderr.slice(-2000));
  return stdout;
}

for (const version of ["3.3.2", "3.4.0b2"] as const) {
  const label = `Airflow ${version}:`;
  const python = requirePeer(test, label, `airflow-${version}`);
  if (python === undefined) continue;

  test(`${label} the recorded vectors are what it says today`, () => {
    const said: unknown = JSON.parse(ask(python, ["--golden"], ""));
    assert.equal(said, JSON.parse(readFileSync(GOLDEN, "utf8")));
  });

  test(`${label} random texts are read alike`, () => {
    const random = new Random();
    const texts = Array.from({ length: load(20_000) }, () => randomConnectionText(random));
    const lines = texts.map((text) => `${JSON.stringify({ text })}\n`).join("");
    const answers = ask(python, [], lines).trim().split("\n");
    assert.is(answers.length, texts.length);
    let unreadable = 0;
    for (const [index, line] of answers.entries()) {
      const text = texts[index] ?? "";
      const { fields, uri, error } = JSON.parse(line) as Answer;
      const hint = `seed ${random.seed}: ${JSON.stringify(text)} ${line}`;
      if (error !== undefined) {
        unreadable += 1;
        if (text !== "") assert.throws(() => readConnection(text, "c"), undefined, hint);
        continue;
      }
      const { type, host, schema, login, password, port, extra, toUri } = attempt(text, hint);
      const conn_type = fields?.["conn_type"] ?? "";
      const ours = { conn_type: type, host, schema, login, password, port, extra };
      assert.equal(ours, { ...fields, conn_type }, hint);
      assert.is(toUri(), uri, hint);
    }
    assert.ok(unreadable < texts.length / 2, `${unreadable} of ${texts.length} cannot be read`);
  });
}

function attempt(text: string, hint: string): ReturnType<typeof readConnection> {
  try {
    return readConnection(text, "c");
  } catch (cause) {
    throw new Error(hint, { cause });
  }
}

test.run();
