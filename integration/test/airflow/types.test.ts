import { execFile } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { requirePeer, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { PARLANCE } from "./support/pack.ts";

// What `parlance types` reads from Dag files, held against what Airflow makes of them when it runs
// them; and what it writes, compiled.

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));
const DAGS = fileURLToPath(new URL("../../test/airflow/fixtures/stub-dags/", import.meta.url));
const STUB_TASKS = join(REPOSITORY, "packages/test-kit/peers/airflow/stub_tasks.py");
const FILES = ["shop", "styles"].map((name) => join(DAGS, `${name}.py`));

interface Binding {
  readonly name: string;
  readonly kind: string;
  readonly task_id?: string;
  readonly value?: unknown;
}

type Genuine = Record<
  string,
  Record<
    string,
    {
      readonly upstream: string[];
      readonly isMapped: boolean;
      readonly multipleOutputs: boolean;
      readonly bindings: Binding[] | null;
    }
  >
>;

interface Answer {
  readonly dags: readonly {
    readonly dagId: string;
    readonly tasks: readonly {
      readonly taskId: string;
      readonly upstream: string[];
      readonly isMapped: boolean;
      readonly multipleOutputs: boolean;
      readonly parameters: readonly {
        readonly name: string;
        readonly source: {
          readonly kind: string;
          readonly taskId?: string;
          readonly value?: unknown;
        };
      }[];
    }[];
  }[];
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `parlance types` by the Python of that Airflow, which never gets to import Airflow. */
async function types(python: string, ...words: string[]): Promise<Ended> {
  const argv = [PARLANCE, "types", "--python", python, ...words];
  try {
    return { code: 0, ...(await run(process.execPath, argv)) };
  } catch (error) {
    return error as Ended;
  }
}

for (const version of ["3.3.2", "3.4.0b2"] as const) {
  const label = `Airflow ${version}: parlance types`;
  const python = requirePeer(test, label, `airflow-${version}`);
  if (python === undefined) continue;

  test(`${label} reads what Airflow makes of the file`, async () => {
    const { stdout } = await run(python, [STUB_TASKS, ...FILES]);
    const genuine = JSON.parse(stdout) as Genuine[];
    for (const [at, file] of FILES.entries()) {
      const answer = JSON.parse((await types(python, "--dag", file, "--json")).stdout) as Answer;
      assert.equal(answer.problems, []);
      for (const { dagId, tasks } of answer.dags) {
        const theirs = genuine[at]?.[dagId] ?? {};
        assert.equal(tasks.map(({ taskId }) => taskId).sort(), Object.keys(theirs).sort());
        for (const { taskId, upstream, isMapped, multipleOutputs, parameters } of tasks) {
          const { bindings, ...facts } = theirs[taskId] ?? { bindings: null };
          assert.equal({ upstream, isMapped, multipleOutputs }, facts, taskId);
          const sources = new Map(parameters.map(({ name, source }) => [name, source]));
          // Only 3.4 tells.
          for (const { name, kind, task_id, value } of bindings ?? []) {
            const expected =
              kind === "xcom"
                ? { kind: "task", taskId: task_id }
                : { kind: "literal", value: name === "big" ? { $int: String(2n ** 70n) } : value };
            const { kind: ours, taskId: from, value: literal } = sources.get(name) ?? { kind: "" };
            const own =
              ours === "task" ? { kind: ours, taskId: from } : { kind: ours, value: literal };
            assert.equal(own, expected, `${taskId}(${name})`);
          }
        }
      }
    }
  });
}

const python = requirePeer(test, "parlance types", "airflow-3.3.2");
if (python !== undefined) registerTests(python);

function registerTests(python: string): void {
  test("parlance types: what it writes compiles, and holds handlers to the Dag", async () => {
    const folder = temporaryFolder("parlance-types");
    symlinkSync(join(REPOSITORY, "integration/node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    for (const [file, name] of [
      [FILES[0], "shop"],
      [FILES[1], "styles"],
    ] as const) {
      const out = join(folder, `${name}.stubs.ts`);
      const made = await types(python, "--dag", String(file), "--out", out);
      assert.is(made.code, 0, made.stderr);
      const [head] = readFileSync(out, "utf8").split("\n");
      assert.is(
        head,
        `// Made by \`parlance types --dag ${file} --out ${out}\`. Make it again when the Dag has changed.`,
      );
      assert.match(
        (await types(python, "--dag", String(file), "--out", out, "--check")).stderr,
        "up to date",
      );
    }
    writeFileSync(join(folder, "handlers.ts"), HANDLERS);
    const tsc = join(REPOSITORY, "node_modules/typescript/bin/tsc");
    const words = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"];
    const more = [
      "--types",
      "node",
      "--allowImportingTsExtensions",
      "--exactOptionalPropertyTypes",
    ];
    const compiled = await run(process.execPath, [tsc, ...words, ...more, "handlers.ts"], {
      cwd: folder,
    }).catch((error: Ended) => error);
    assert.is(compiled.stdout, "");
  });

  test("parlance types: a stale file is told, written anew, and stays as it is then", async () => {
    const folder = temporaryFolder("parlance-types");
    const dag = join(folder, "d.py");
    const out = join(folder, "d.ts");
    const source = (annotation: string) => `from airflow.sdk import dag, task
@dag
def d():
    @task.stub
    def s(a: ${annotation} = None): ...
    s()
d()
`;
    writeFileSync(dag, source("int"));
    assert.is((await types(python, "--dag", dag, "--out", out, "--check")).code, 1);
    assert.match((await types(python, "--dag", dag, "--out", out)).stderr, "written");
    assert.match((await types(python, "--dag", dag, "--out", out)).stderr, "unchanged");
    const first = readFileSync(out, "utf8");
    writeFileSync(dag, `# a comment moves every line\n\n${source("int")}`);
    assert.is((await types(python, "--dag", dag, "--out", out, "--check")).code, 0);
    writeFileSync(
      out,
      first
        .replaceAll('"', "'")
        .replaceAll(";\n", "\n")
        .replaceAll(/,\n *\)/g, "\n)"),
    );
    const formatted = await types(python, "--dag", dag, "--out", out, "--check");
    assert.is(formatted.code, 0, "by somebody else's rules");
    writeFileSync(out, first);
    writeFileSync(dag, source("'str | None'"));
    const stale = await types(python, "--dag", dag, "--out", out, "--check");
    assert.is(stale.code, 1);
    assert.is(readFileSync(out, "utf8"), first);
    const printed = await types(python, "--dag", dag);
    assert.match(printed.stdout, "a: literal<string | null>(null),");
  });

  test("parlance types: nothing of the file is run, and what only running it tells is said", async () => {
    const folder = temporaryFolder("parlance-types");
    const dag = join(folder, "d.py");
    writeFileSync(dag, UNTOLD);
    const { code, stdout, stderr } = await types(python, "--dag", dag);
    assert.is(code, 0, stderr);
    assert.equal(
      stderr
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => line.replace(dag, "d.py")),
      [
        "d.py:8: the stub never is never called, so it is no task of a Dag",
        "d.py:13: s(a=…): its value is only told by running the file",
        "d.py:15: s is called in a loop: how many tasks that makes is only told by running the file",
        "d.py:16: s(a=…): Airflow passes no result of a mapped task to a stub",
        "d.py:20: inner has a body: Airflow takes only an empty stub",
        "d.py:21: inner gets arguments in a mapped group: Airflow 3.4 does not take that",
        "d.py:23: the id of this Dag is only told by running the file; write it as text",
      ],
    );
    assert.match(stdout, "a: fromArgument(),");
    assert.match(stdout, 'a: eachOf("up"),');
  });

  test("parlance types: what cannot be read, and a file without stubs", async () => {
    const folder = temporaryFolder("parlance-types");
    const cases: readonly (readonly [string, string, string])[] = [
      ["def f(:\n", "bad-python", "d.py:1: "],
      ["x = 1\n", "no-stubs", "no @task.stub"],
      ["# coding: nowhere\n", "bad-python", ""],
      [`${"(".repeat(3000)}1${")".repeat(3000)}\n`, "bad-python", ""],
      ["def f(n):\n    return f(n)\nf(1)\n", "no-stubs", ""],
    ];
    const dag = join(folder, "d.py");
    for (const [source, code, message] of cases) {
      writeFileSync(dag, source);
      const ended = await types(python, "--dag", dag, "--json");
      assert.is(ended.code, 65);
      const { error } = JSON.parse(ended.stderr.trim()) as {
        error: { code: string; message: string };
      };
      assert.is(error.code, code);
      assert.match(error.message, message);
    }
  });
}

const UNTOLD = `import os
from airflow.sdk import DAG, task, task_group
raise SystemExit("this was run")
with DAG("d"):
    @task.stub
    def s(a): ...
    @task.stub
    def never(): ...
    @task
    def mapped(x): ...
    @task
    def up(): ...
    s(os.environ["HOME"])
    for name in "ab":
        s(1)
    s(mapped.expand(x=[1]))
    @task_group
    def group(v):
        @task.stub
        def inner(a): return a
        inner(v)
    group.expand(v=up())
with DAG(os.environ["DAG"]):
    s(1)
`;

const HANDLERS = `import { Bundle, DateTime, Decimal } from "@parlance/sdk-node";
import { eachTask, type ExtractHandler, extractTask, nothingTask, plainTask, totalsTask } from "./shop.stubs.ts";
import { secondSharedTask, stylesOneTask } from "./styles.stubs.ts";

const bundle = new Bundle();
const extract: ExtractHandler = ({ inputs: { day, limit, mode } }) => {
  const full: boolean = mode === "full";
  // @ts-expect-error: there is no such mode
  mode === "half";
  return full ? [] : [{ id: limit + day.year, price: new Decimal("1") }];
};
bundle.task(extractTask, extract);
bundle.task(totalsTask, { executionTimeoutMs: 60_000 }, async ({ inputs: { rows, order } }) => {
  const paid: DateTime | null | undefined = order?.data.paid_at;
  return { sum: rows.length, paid: Number(paid) };
});
bundle.task(eachTask, ({ inputs }) => (inputs.row.id > inputs.factor ? { a: "red" } : null));
bundle.task(nothingTask, () => {});
bundle.task(plainTask, ({ inputs }) => [inputs.a, inputs.c, inputs.e.length]);
bundle.task(stylesOneTask, () => ["a"]);
bundle.task(secondSharedTask, ({ inputs }) => String(inputs.x));
// @ts-expect-error: the Dag says a list of rows
bundle.task(extractTask, () => [{ id: 1 }]);
// @ts-expect-error: the Dag says red or blue
bundle.task(eachTask, () => ({ a: "green" }));
// @ts-expect-error: there is no such input
bundle.task(totalsTask, ({ inputs }) => ({ a: inputs.limit }));
`;

test.run();
