import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { requirePeer, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

// The example as its README has it: the real Celery client waits for tasks in TypeScript.

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const EXAMPLE = join(ROOT, "examples/celery-client");
const readme = readFileSync(join(EXAMPLE, "README.md"), "utf8");
const blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(([, language, text]) => {
  return { language, text: text ?? "" };
});
const [, run, inspect] = blocks.filter(({ language }) => language === "sh");
const output = blocks.find(({ language }) => language === "");

const LABEL = "the example of a Celery client";
const python = requirePeer(test, LABEL, "celery-5.7.0");
if (python !== undefined) registerTests(python);

function registerTests(python: string): void {
  test("its versions are those that are tested", () => {
    const pins = (path: string) => readFileSync(join(ROOT, path), "utf8").split("\n");
    const tested = pins("packages/test-kit/peers/celery/requirements-5.7.0.txt");
    const wanted = pins("examples/celery-client/requirements.txt").filter((line) => line !== "");
    assert.ok(wanted.length > 0);
    for (const line of wanted) assert.ok(tested.includes(line), line);
  });

  test(`${LABEL} prints what its README says`, () => {
    const folder = join(temporaryFolder(), "celery-client");
    cpSync(EXAMPLE, folder, {
      recursive: true,
      filter: (path) => !/\/(?:node_modules|\.venv|results\.db)$/.test(path),
    });
    symlinkSync(join(EXAMPLE, "node_modules"), join(folder, "node_modules"));
    symlinkSync(dirname(dirname(python)), join(folder, ".venv"));
    const shell = (text: string) =>
      spawnSync("sh", ["-c", text], { cwd: folder, encoding: "utf8", timeout: 50_000 });
    const ran = shell(run?.text ?? "exit 9");
    assert.is(ran.status, 0, ran.stderr);
    const client = ran.stdout
      .split("\n")
      .filter((line) => /^\S/.test(line))
      .join("\n");
    for (const line of (output?.text ?? "").trim().split("\n")) {
      const expected = line.replace("HOST", hostname());
      assert.ok(client.split("\n").includes(expected), `${expected}\nis not in\n${ran.stdout}`);
    }
    const seen = shell(inspect?.text ?? "exit 9");
    assert.is(seen.status, 0, seen.stderr);
    assert.match(seen.stdout, /^orders\/monday\/price +SUCCESS/m);
    assert.match(seen.stdout, /^result +parlance\.task\.OutOfStock: no cups left on try 2$/m);
  });
}

test.run();
