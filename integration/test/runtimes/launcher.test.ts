import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { requirePeer, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { EXAMPLE } from "./support/python-tasks.ts";

// The example as its README has it: a fresh Python and Airflow for each task, under `parlance run`.

const CLI = fileURLToPath(new URL("../../../packages/cli/bin/parlance.js", import.meta.url));
const readme = readFileSync(join(EXAMPLE, "README.md"), "utf8");
const blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(([, language, text]) => {
  return { language, text: text ?? "" };
});
const [, ...commands] = blocks.filter(({ language }) => language === "sh");
const outputs = blocks.filter(({ language }) => language === "");

const OLDER = requirePeer(test, "the example on Airflow 3.3.2", "airflow-3.3.2");
const NEWER = requirePeer(test, "the example on Airflow 3.4.0b2", "airflow-3.4.0b2");

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly folder: string;
}

/** Runs commands in a copy of the example, which has a virtual environment. */
function shell(text: string, python: string): Promise<Ran> {
  const folder = join(temporaryFolder(), "airflow-python");
  cpSync(EXAMPLE, folder, {
    recursive: true,
    filter: (path) => !/\/(?:\.venv|\.airflow|arrived|orders\.db|__pycache__)$/.test(path),
  });
  symlinkSync(dirname(dirname(python)), join(folder, ".venv"));
  const script = text.replaceAll("npx parlance", `"${process.execPath}" "${CLI}"`);
  const child = spawn("sh", ["-e", "-c", script], { cwd: folder });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (piece: string) => {
      output[name] += piece;
    });
  }
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, ...output, folder }));
  });
}

/** Without the times, and with one space for many. */
function told(text: string): string[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => line.replace(/ +\S+ m?s$/, "").replace(/(?<=\S) +/g, " "));
}

if (OLDER !== undefined) {
  const runs = shell(commands.map(({ text }) => text).join("\n"), OLDER);

  test("the commands of the README print what it says, on Airflow 3.3.2", async () => {
    const { code, stdout, stderr, folder } = await runs;
    assert.is(code, 0, stderr);
    assert.equal(told(stdout), told(outputs.map(({ text }) => text).join("\n")));
    assert.match(stderr, /reading shop\.example\.org as ann with \*\*\*/);
    assert.not.match(stdout + stderr, /k3ttle-pass/);
    assert.match(stderr, /ConnectionError: the till does not answer/);
    assert.ok(existsSync(join(folder, ".airflow")), "no other Airflow home was made");
  });

  test("without its addresses the launcher says so, and one that nobody listens on ends it", () => {
    const launch = (...args: readonly string[]) =>
      spawnSync(OLDER, [join(EXAMPLE, "launcher.py"), ...args], { encoding: "utf8" });
    const without = launch("--comm=127.0.0.1:1");
    assert.is(without.status, 2);
    assert.match(without.stderr, /required: --logs/);
    const refused = launch("--comm=127.0.0.1:1", "--logs", "127.0.0.1:1");
    assert.is(refused.status, 1);
    assert.match(refused.stderr, /ConnectionRefusedError/);
  });
}

if (NEWER !== undefined) {
  const [first] = commands;
  const newer = (first?.text ?? "").replace('"$@"', '--schema-version 2026-10-30 "$@"');
  const runs = shell(newer, NEWER);

  test("so they do on Airflow 3.4.0b2, with its schema version", async () => {
    const { code, stdout, stderr } = await runs;
    assert.is(code, 0, stderr);
    assert.equal(told(stdout), told(outputs[0]?.text ?? ""));
  });
}

test.run();
