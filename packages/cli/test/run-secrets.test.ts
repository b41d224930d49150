import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { PACKAGE, parlance } from "./support/cli.ts";

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

for (const flags of [[], ["--json"], ["--trace"], ["--trace", "--json"]]) {
  test(`no secret is in the output of run ${flags.join(" ")}`, async () => {
    const words = ["run", ENTRY, "--dag", "leaky", "--task", "say", "--should-retry"];
    const run = await parlance([...words, "--seed-store", SEED, ...flags]);
    assert.is(run.code, 1);
    assert.match(run.stderr, "event ***");
    for (const trace of TRACES) {
      for (const [name, text] of Object.entries({ stdout: run.stdout, stderr: run.stderr })) {
        assert.not(text.includes(trace), `${name} has ${trace}:\n${text}`);
      }
    }
    if (!flags.includes("--json")) return;
    const { tasks } = JSON.parse(run.stdout);
    assert.match(tasks[0].retry.reason, /no log-in with \*\*\*/);
    assert.ok(tasks[0].logs.length > 15);
  });
}

test.run();
