import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { errorOf, parlance } from "./support/cli.ts";

const folder = temporaryFolder();

async function refusal(...words: readonly string[]): Promise<string> {
  const run = await parlance(["run", ...words, "--dag", "d", "--json"], { cwd: folder });
  assert.equal([run.code, run.stdout], [65, ""], run.stderr);
  return errorOf(run).code;
}

test("a bundle that Airflow would not run is refused as bad data", async () => {
  const metadata = join(folder, "m.json");
  const sdk = { language: "go", version: "1", supervisor_schema_version: "2026-06-16" };
  writeFileSync(metadata, JSON.stringify({ sdk, dags: { d: { tasks: ["t"] } } }));
  writeFileSync(join(folder, "exe"), "#!/bin/sh\n");
  const bundle = join(folder, "unquoted");
  const files = ["--executable", join(folder, "exe"), "--metadata", metadata, "--out", bundle];
  assert.is((await parlance(["bundle", "pack", ...files])).code, 0);
  const quoted = readFileSync(bundle, "latin1");
  writeFileSync(bundle, quoted.replace('"2026-06-16"', "2026-06-16  "), "latin1");
  assert.is(await refusal("unquoted"), "bad-bundle");
  writeFileSync(bundle, quoted.replace("2026-06-16", "2031-01-01"), "latin1");
  assert.is(await refusal("unquoted"), "bad-bundle");
});

test("a pipe is refused, not waited for", async () => {
  assert.is(spawnSync("mkfifo", [join(folder, "pipe")]).status, 0);
  assert.is(await refusal("pipe"), "cannot-read");
});

/** A runtime as short as can be: it reads nothing, says SucceedTask, and waits for the answer. */
const CODE = `import net from "node:net";
const [comm, logs] = process.argv.slice(2).map((flag) => flag.split(/[=:]/).slice(1));
net.connect(logs[1], logs[0]);
const socket = net.connect(comm[1], comm[0]);
let frames = 0;
socket.on("data", () => ++frames === 2 && process.exit(0)).once("data", () =>
  socket.write(Buffer.from("${frame()}", "hex")));
`;

/** `[1, {"type": "SucceedTask", "end_date": …}]`, written out by hand. */
function frame(): string {
  const text = (value: string) =>
    Buffer.concat([Buffer.from([0xa0 + value.length]), Buffer.from(value)]);
  const parts = ["type", "SucceedTask", "end_date", "2026-06-16T01:02:03Z"].map(text);
  const payload = Buffer.concat([Buffer.from([0x92, 1, 0x82]), ...parts]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(payload.length);
  return Buffer.concat([length, payload]).toString("hex");
}

test("a Node bundle of Airflow 3.4 runs with the Dags of its task_handlers", async () => {
  const metadata = JSON.stringify({
    airflow_bundle_metadata_version: "1.0",
    sdk: { language: "js", version: "1", supervisor_schema_version: "2026-10-30" },
    task_handlers: { d: { tasks: ["a", "b"] } },
  });
  const section = (start: number, text: string) => ({
    start: start.toString(16).padStart(16, "0"),
    end: (start + text.length).toString(16).padStart(16, "0"),
    sha256: createHash("sha256").update(text).digest("hex"),
  });
  const head = (at: number) => {
    const prefix = "//# airflowMetadata=";
    const codeAt = at + prefix.length + metadata.length + 1;
    const sections = { metadata: section(at + prefix.length, metadata), sources: [] };
    const layout = JSON.stringify({ ...sections, code: section(codeAt, CODE) });
    return [`//# airflowBundle=${layout}\n`, `${prefix}${metadata}\n`] as const;
  };
  const file = join(folder, "tasks.min.mjs");
  writeFileSync(file, head(head(0)[0].length).join("") + CODE); // all widths are fixed
  assert.is((await parlance(["bundle", "inspect", file])).code, 0);
  const run = await parlance(["run", file, "--dag", "d", "--json"]);
  assert.is(run.code, 0, run.stderr);
  const { tasks } = JSON.parse(run.stdout) as { tasks: { taskId: string; finalState: string }[] };
  assert.equal(
    tasks.map(({ taskId, finalState }) => [taskId, finalState]),
    [
      ["a", "success"],
      ["b", "success"],
    ],
  );
});

test.run();
