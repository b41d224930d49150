import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunDetail, TaskInstanceDetail } from "@parlance/dev";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { DevSession, makeProject } from "./support/dev-session.ts";

const folder = temporaryFolder();
const seed = join(folder, "seed.json");
const password = 'Pä"ss\\wörd /!42';
const never = "never-asked-for-77";
const named = "named-at-run-time-31";
const markup = "<img src=x onerror=alert(1)>";
writeFileSync(
  seed,
  JSON.stringify({
    connections: {
      c: { conn_type: "http", login: "u", password },
      d: { conn_type: "http", password: never },
    },
    variables: { api_token: "tok-1234567", plain: "not a secret" },
  }),
);

const entry = makeProject(
  folder,
  `
import { dag, param, serve } from "@parlance/sdk-node";

serve(dag("leaky", { params: { api_key: param("par-7654321"), region: param("eu") } })
  .task("say", { retries: 1 }, async ({ client, context, log }) => {
    const { password } = await client.getConnectionOrThrow("c");
    const token = await client.getVariableOrThrow("api_token");
    const early = ${JSON.stringify(named)};
    log.info("early " + early);
    await client.maskSecret(early);
    const all = [String(password), String(token), early, ${JSON.stringify(never)}];
    for (const text of all) {
      log.info("event " + text, { field: text, deep: [{ [text]: text }], json: JSON.stringify(text) });
      console.log("stdout " + text);
    }
    log.info(${JSON.stringify(markup)}, { ${JSON.stringify(markup)}: 1 });
    await client.setXCom({ all, nested: { password: "pw-in-a-map" } }, { key: "all" });
    if (context.tryNumber === 1) throw new Error("no log-in with " + all.join(" "));
    return all;
  }));
`,
);

/** What would give a secret away, as it is or in another writing. */
const TRACES = [
  password,
  JSON.stringify(password).slice(1, -1),
  JSON.stringify(JSON.stringify(password).slice(1, -1)).slice(1, -1),
  encodeURIComponent(password),
  "tok-1234567",
  named,
  never,
  "conf-secret-99",
  "par-7654321",
  "pw-in-a-map",
];

test("no secret is in any answer, event, line of the terminal or file of attempts", async () => {
  const store = join(folder, "runs.db");
  const flags = ["--seed-store", seed, "--store", store, "--time-scale", "0"];
  const session = await DevSession.start(entry, ...flags);
  const conf = { api_key: "conf-secret-99", region: "us" };
  const run = await session.run("leaky", { conf });
  await session.untilState(run, "success");
  const detail = (await session.get(`${run}/tasks/say`)) as TaskInstanceDetail;
  assert.is(detail.attempts.length, 2);
  const paths = [
    "/api/dev/project",
    "/api/dev/dags/leaky",
    "/api/dev/dags/leaky/runs",
    run,
    `${run}/tasks/say`,
    `${run}/tasks/say/xcoms`,
    ...detail.attempts.flatMap(({ attemptId }) => [
      `/api/dev/attempts/${attemptId}/log`,
      `/api/dev/attempts/${attemptId}/frames`,
    ]),
    "/api/v2/dags/leaky/tasks",
  ];
  const texts: [string, string][] = [];
  for (const path of paths) texts.push([path, await session.text(path)]);
  texts.push(["events", JSON.stringify(session.events)], ["stderr", session.stderr()]);
  for (const [name, text] of texts) {
    for (const trace of TRACES) {
      assert.not(text.includes(trace), `${name} has ${trace}:\n${text.slice(0, 3000)}`);
    }
  }
  const log = texts.find(([name]) => name.endsWith("/log"))?.[1] ?? "";
  assert.match(log, "event ***");
  assert.match(log, "early ***", "also what was logged before it was named");
  assert.match(log, JSON.stringify(markup), "markup is text like any other");
  const xcoms = texts.find(([name]) => name.endsWith("/xcoms"))?.[1] ?? "";
  assert.match(xcoms, "***");
  assert.is((JSON.parse(await session.text(run)) as RunDetail).conf["region"], "us");
  await session.end();
  const files = `${store}.attempts`;
  for (const name of readdirSync(files, { recursive: true }) as string[]) {
    const text = readIfFile(join(files, name));
    for (const trace of TRACES.filter((each) => each !== named && each !== never)) {
      assert.not(text.includes(trace), `${name} has ${trace}`);
    }
  }
});

function readIfFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // a folder
  }
}

test.after(() => DevSession.endAll());
test.run();
