import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { errorOf, PACKAGE, parlance } from "./support/cli.ts";

const ENTRY = join(PACKAGE, "test/fixtures/leaky.ts");
const folder = temporaryFolder();
const SEED = join(folder, "seed.json");
const password = 'Pä"ss\\wörd /!42';
const extra =
  '{"private_key": "-----BEGIN-----\\nMIIEvQIBADAN\\n-----END-----", "hidden-by": "extra"}';
writeFileSync(
  SEED,
  JSON.stringify({
    connections: { c: { conn_type: "http", login: "u", password, extra } },
    variables: { api_token: "tok-1234567" },
  }),
);

/** What would give a secret away, as it is or in another writing. */
const TRACES = [
  password,
  JSON.stringify(password).slice(1, -1),
  encodeURIComponent(password),
  "MIIEvQIBADAN",
  "hidden-by",
  "tok-1234567",
  Buffer.from(password).toString("base64").slice(0, 20),
];

for (const flags of [[], ["--json"], ["--trace=full"], ["--trace", "--json"]]) {
  test(`no secret is in the output of run ${flags.join(" ")}, nor in its log file`, async () => {
    const format = flags.includes("--json") ? "json" : "text";
    const logFile = join(folder, `${flags.join("")}.log`);
    const words = ["run", ENTRY, "--dag", "leaky", "--task", "say", "--should-retry"];
    words.push("--log-file", logFile, "--log-format", format);
    const run = await parlance([...words, "--seed-store", SEED, ...flags]);
    assert.is(run.code, 1);
    assert.match(run.stderr, "event ***");
    const log = readFileSync(logFile, "utf8");
    assert.match(log, "event ***");
    assert.match(log, format === "text" ? "[say 1] url" : '"task_id":"say"');
    const texts = { stdout: run.stdout, stderr: run.stderr, log };
    for (const trace of TRACES) {
      for (const [name, text] of Object.entries(texts)) {
        // A frame shows the names in a Connection's `extra`.
        if (name === "stderr" && trace === "hidden-by" && flags.join("").includes("trace"))
          continue;
        assert.not(text.includes(trace), `${name} has ${trace}:\n${text}`);
      }
    }
    if (!flags.includes("--json")) return;
    const { tasks } = JSON.parse(run.stdout);
    assert.match(tasks[0].retry.reason, /no log-in with \*\*\*/);
    assert.ok(tasks[0].logs.length > 15);
    const records = log.trimEnd().split("\n");
    assert.is(records.length, tasks[0].logs.length);
  });
}

test("a log file that can't be opened is bad input, and one on a full disk is told once", async () => {
  const words = ["run", "--dag", "d", "--task", "t", "--log-file"];
  const none = await parlance([...words, join(folder, "no", "f"), "--json", "--", "true"]);
  assert.is(none.code, 65);
  assert.is(errorOf(none).code, "cannot-open");
  if (!existsSync("/dev/full")) return;
  const full = await parlance([...words, "/dev/full", "--", "sh", "-c", "echo a; echo b"]);
  assert.is(full.stderr.match(/warning: the log file \/dev\/full: ENOSPC/g)?.length, 1);
  assert.match(full.stdout, "failed");
});

test.run();
