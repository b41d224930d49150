import { test } from "uvu";
import * as assert from "uvu/assert";
import { errorOf, parlance } from "./support/cli.ts";

async function json(...words: string[]): Promise<Record<string, unknown>> {
  const run = await parlance(["schema", ...words, "--json"]);
  assert.is(run.code, 0, run.stderr);
  return JSON.parse(run.stdout) as Record<string, unknown>;
}

test("versions lists what exists, the messages too", async () => {
  const { versions } = (await json("versions")) as {
    versions: {
      version: string;
      default: boolean;
      airflow: string[];
      messages: Record<string, string[]>;
    }[];
  };
  assert.equal(
    versions.map(({ version, airflow }) => [version, airflow]),
    [
      ["2026-06-16", ["3.3", "3.4"]],
      ["2026-10-30", ["3.4"]],
    ],
  );
  assert.equal(
    versions.map((each) => each.default),
    [true, false],
  );
  // The 55 and 57 of the task channel, and DagFileParsingResult.
  const sent = versions.map(({ messages }) => messages["to-supervisor"]?.length);
  assert.equal(sent, [56, 58]);
  const text = await parlance(["schema", "versions"]);
  assert.match(text.stdout, /^2026-06-16 {2}3\.3, 3\.4 {2}56 messages/m);
});

test("show prints a table of fields, of the newest version unless told otherwise", async () => {
  const newest = await parlance(["schema", "show", "GetXCom"]);
  assert.is(newest.code, 0);
  assert.match(newest.stdout, /^GetXCom of schema 2026-10-30: to-supervisor, channels task and/);
  assert.match(newest.stdout, "answered with XComResult");
  assert.match(newest.stdout, /^ {2}key +yes +text$/m);
  assert.match(newest.stdout, /^ {2}map_index +null +integer or null$/m);
  assert.match(newest.stdout, /^ {2}previous_iteration +false +boolean$/m);
  const older = await parlance(["schema", "show", "GetXCom", "--version", "2026-06-16"]);
  assert.match(older.stdout, /^GetXCom of schema 2026-06-16/);
  assert.not.match(older.stdout, "previous_iteration");
});

test("show prints the parts of a message, and every kind of type in words", async () => {
  const { stdout } = await parlance(["schema", "show", "StartupDetails"]);
  assert.match(stdout, /^ {2}ti +yes +TaskInstance$/m);
  assert.match(stdout, /^TIRunContext\n {2}FIELD/m);
  assert.match(stdout, /^ {2}arg_bindings +null +list of TaskArgBinding or null$/m);
  assert.match(stdout, /^ {2}max_iterations +yes +integer > 0$/m);
  assert.match(stdout, /^ {2}state +yes +"queued" \| "running" \| "success" \| "failed"$/m);
  const type = async (name: string, field: string): Promise<string | undefined> => {
    const shown = await parlance(["schema", "show", name]);
    return new RegExp(`^  ${field} +yes +(\\S.*)$`, "m").exec(shown.stdout)?.[1];
  };
  assert.is(await type("SkipDownstreamTasks", "tasks"), "list of (text or [text, integer])");
  assert.is(await type("UpdateHITLDetail", "chosen_options"), "list of text, at least 1");
  assert.match((await parlance(["schema", "show", "TaskArgBinding"])).stdout, "told apart by kind");
  assert.match((await parlance(["schema", "show", "DagRunState"])).stdout, '"queued" | "running"');
});

test("show --json is one document with facts and a JSON Schema of its own", async () => {
  const shown = await json("show", "TriggerDagRun");
  assert.is(shown["name"], "TriggerDagRun");
  assert.equal(shown["directions"], ["to-supervisor"]);
  assert.equal(shown["reply"], { type: "OKResponse", errors: ["DAGRUN_ALREADY_EXISTS"] });
  assert.is(shown["unknownFields"], "refused");
  const fields = shown["fields"] as { name: string }[];
  const named = (name: string) => fields.find((field) => field.name === name);
  assert.equal(named("dag_id"), { name: "dag_id", type: "text", required: true });
  const flag = { type: "boolean or null", required: false, default: false };
  assert.equal(named("reset_dag_run"), { name: "reset_dag_run", ...flag });
  const { $ref, $defs } = shown["schema"] as { $ref: string; $defs: object };
  assert.is($ref, "#/$defs/TriggerDagRun");
  assert.equal(Object.keys($defs), ["TriggerDagRun"]);
  const details = await json("show", "StartupDetails");
  const parts = (details["parts"] as { name: string }[]).map(({ name }) => name);
  assert.ok(parts.includes("XComArgBinding") && !parts.includes("TaskArgBinding"));
  const refs = JSON.stringify(details["schema"]).matchAll(/"#\/\$defs\/(\w+)"/g);
  const known = (details["schema"] as { $defs: object }).$defs;
  for (const [, name = ""] of refs) assert.ok(name in known, name);
});

test("a name that is none is answered with those that are near", async () => {
  const typo = await parlance(["schema", "show", "GetXcomm", "--json"]);
  assert.is(typo.code, 2);
  assert.is(errorOf(typo).code, "unknown-message");
  assert.match(errorOf(typo).message, "did you mean GetXCom, SetXCom?");
  const snake = await parlance(["schema", "show", "startup_details", "--json"]);
  assert.match(errorOf(snake).message, "did you mean StartupDetails");
  const newer = await parlance([
    ..."schema show SetExecutionTimeout --version 2026-06-16 --json".split(" "),
  ]);
  assert.match(errorOf(newer).message, "schema 2026-10-30 has it");
  const far = await parlance(["schema", "show", "constructor", "--json"]);
  assert.is(errorOf(far).code, "unknown-message");
  assert.match(errorOf(far).message, "schema versions --json");
  const long = await parlance(["schema", "show", "x\u001b".repeat(10_000)]);
  assert.is(long.code, 2);
  assert.not.match(long.stderr, "\u001b");
});

test("an unknown version is refused with the known ones named", async () => {
  for (const words of [
    "show GetXCom --version 2027-01-01",
    "diff 2026-06-16 2027-01-01",
    "check --version 2027-01-01 --direction to-task",
    "migrate --from 2027-01-01 --to 2026-06-16 --direction to-task",
  ]) {
    const run = await parlance(["schema", ...words.split(" ")]);
    assert.is(run.code, 2, words);
    assert.match(run.stderr, /2026-06-16, 2026-10-30/, words);
  }
});

test("--version of parlance itself is still there", async () => {
  const run = await parlance(["--version"]);
  assert.is(run.code, 0);
  assert.match(run.stdout, /^\d+\.\d+\.\d+\n$/);
});

test.run();
