import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type RunOptions, run } from "../support/fake-supervisor.ts";

const REQUEST = {
  type: "DagFileParseRequest",
  file: "/bundles/shop/dags.min.mjs",
  bundle_path: "/bundles",
  bundle_name: "b",
  callback_requests: [],
};

const parse = async (faulty?: string, options: Partial<RunOptions> = {}) => {
  const env = faulty === undefined ? {} : { FAULTY: faulty };
  const { bodies, ...rest } = await run({ fixture: "dags.mjs", first: REQUEST, env, ...options });
  assert.is(bodies.length, 1);
  return { ...rest, answer: bodies[0] as unknown as Answer };
};

interface Answer {
  readonly fileloc: string;
  readonly serialized_dags: readonly { readonly data: { readonly dag: Dag } }[];
  readonly warnings: unknown;
  readonly import_errors: { readonly [path: string]: string } | null;
}

interface Dag {
  readonly dag_id: string;
  readonly relative_fileloc: string;
  readonly tasks: readonly { readonly __var: { readonly [field: string]: unknown } }[];
}

const ids = ({ serialized_dags: dags }: Answer) => dags.map(({ data }) => data.dag.dag_id);

test("the Dag processor gets every Dag, and the process ends though the program has a timer", async () => {
  const { answer, exitCode } = await parse();
  assert.equal(ids(answer), ["good"]);
  assert.equal([answer.warnings, answer.import_errors, exitCode], [null, null, 0]);
  const [document] = answer.serialized_dags;
  assert.is(document?.data.dag.relative_fileloc, "shop/dags.min.mjs");
  assert.equal(
    document?.data.dag.tasks.map(({ __var: task }) => [task["task_id"], task["queue"]]),
    [
      ["one", "q"],
      ["two", "q"],
    ],
  );
});

test("every line of the log has a level, whatever the program calls its fields", async () => {
  const { logs } = await parse();
  assert.equal(
    logs.map(({ level, event }) => `${level} ${event}`),
    ["info read the Dags", "info plainly"],
  );
});

for (const [faulty, what] of [
  ["circle", /"a" → "b" → "a"|"b" → "a" → "b"/],
  ["catchup", /start/],
] as const) {
  test(`what is wrong with one Dag (${faulty}) keeps no other from being stored`, async () => {
    const { answer, exitCode, logs } = await parse(faulty);
    assert.equal(ids(answer), ["good"]);
    assert.match(String(answer.import_errors?.["shop/dags.min.mjs"]), what);
    assert.ok(logs.some(({ level }) => level === "error"));
    assert.is(exitCode, 0);
  });
}

test("a task without a queue is warned of", async () => {
  const { answer } = await parse("quiet");
  assert.equal(ids(answer), ["good", "quiet"]);
  const message = (answer.warnings as { message: string }[])[0]?.message ?? "";
  assert.match(message, /no queue is named for a: /);
  assert.equal(answer.warnings, [{ dag_id: "quiet", warning_type: "parlance:no-queue", message }]);
});

test("a task of another Dag runs, and one of the faulty Dag says what is wrong", async () => {
  const taskInstance = { dag_id: "good", task_id: "one" };
  const env = { FAULTY: "circle" };
  const fine = await run({ fixture: "dags.mjs", taskInstance, env });
  assert.is(fine.terminal[0]?.["type"], "SucceedTask");
  const circle = { dag_id: "circle", task_id: "a" };
  const bad = await run({ fixture: "dags.mjs", taskInstance: circle, env });
  assert.is(bad.terminal[0]?.["state"], "failed");
  assert.ok(bad.logs.some(({ error }) => String(error).includes('dag("circle")')));
});

test("a program with a faulty Dag does not describe itself, so it is not packed", async () => {
  const fixture = fileURLToPath(new URL("../../test/fixtures/dags.mjs", import.meta.url));
  const env = { ...process.env, FAULTY: "catchup" };
  const asked = promisify(execFile)(process.execPath, [fixture, "--describe"], { env });
  const failure = await asked.then(
    () => undefined,
    (error: { readonly code: number; readonly stderr: string }) => error,
  );
  assert.not.equal(failure?.code, 0);
  assert.match(failure?.stderr ?? "", /catchup/);
});

test.run();
