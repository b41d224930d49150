import { test } from "uvu";
import * as assert from "uvu/assert";
import { emitDag } from "../dist/dag/emit-dag.js";
import { isSamePython } from "../dist/dag/files/head.js";
import { lineDiff } from "../dist/dag/files/line-diff.js";
import { layOut } from "../dist/dag/python/layout.js";
import { textLiteral } from "../dist/dag/python/text-literal.js";
import { instant } from "../dist/dag/read/instant.js";
import { duration } from "../dist/dag/read/value.js";
import { chainsOf } from "../dist/dag/render/chains.js";
import { dagDocument, task } from "./support/dag-documents.ts";

// What the real Airflow makes of these files stands in integration/test/dags.

const at = { indent: "" };

test("a text is a literal on one line, with the quotes that need fewer escapes", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["plain", '"plain"'],
    ['say "x"', "'say \"x\"'"],
    [`it's "x"`, "'it\\'s \"x\"'"],
    ["a\\b\n\r\t", '"a\\\\b\\n\\r\\t"'],
    ["\0\x1b\x85", '"\\x00\\x1b\\x85"'],
    ["\u2028\u202e\ufeff", '"\\u2028\\u202e\\ufeff"'],
    ["\u{10ffff}", '"\\U0010ffff"'],
    ["Zoë 日本 😀", '"Zoë 日本 😀"'],
  ];
  for (const [text, literal] of cases) assert.is(textLiteral(text), literal);
  assert.throws(() => textLiteral("half \ud83d"), /half a surrogate pair/);
});

test("a point in time is told on the clocks of its zone, but where they show an hour twice", () => {
  const text = (seconds: number, zone: unknown) => layOut(instant(seconds, zone), at);
  assert.is(
    text(1_767_222_000, "Europe/Vienna"),
    'pendulum.datetime(2026, 1, 1, tz="Europe/Vienna")',
  );
  assert.is(text(0.25, "UTC"), 'pendulum.datetime(1970, 1, 1, 0, 0, 0, 250000, tz="UTC")');
  assert.is(text(0, 7200), "pendulum.datetime(1970, 1, 1, 2, tz=pendulum.timezone(7200))");
  // 02:30 in Vienna, first in summer time, then in winter time.
  for (const seconds of [1_792_888_200, 1_792_891_800]) {
    assert.is(
      text(seconds, "Europe/Vienna"),
      `pendulum.from_timestamp(${seconds}, tz="Europe/Vienna")`,
    );
  }
  assert.throws(() => text(0, "Mars/Base"), /"Mars\/Base", which this Node.js does not know/);
  assert.throws(() => text(Number.NaN, "UTC"), /no number of seconds/);
});

test("a duration is told in the largest unit that it is whole in", () => {
  const text = (seconds: number) => layOut(duration(seconds), at);
  assert.is(text(172_800), "timedelta(days=2)");
  assert.is(text(5_400), "timedelta(minutes=90)");
  assert.is(text(0.5), "timedelta(seconds=0.5)");
  assert.is(text(0), "timedelta(seconds=0)");
  assert.is(text(-3_600), "timedelta(hours=-1)");
  assert.throws(() => text(1e15), /beyond a timedelta's/);
});

test("what does not fit on a line has a line for each element, and a comma behind the last", () => {
  const py = {
    callee: "f",
    args: ["x".repeat(40), ["name", { list: ["y".repeat(40), "z"] }]],
  } as const;
  const text = layOut(py, { indent: "    ", before: "a = ", after: ":" });
  const lines = [
    "a = f(",
    `        ${"x".repeat(40)},`,
    `        name=[${"y".repeat(40)}, z],`,
    "    ):",
  ];
  assert.is(text, lines.join("\n"));
});

test("edges are few lines: chains, and lists of what comes of one or leads to one", () => {
  const text = (edges: readonly string[]) => {
    const pairs = edges.map((edge) => edge.split("") as unknown as readonly [string, string]);
    return chainsOf(pairs).map((links) => links.map((link) => link.join("+")).join(" > "));
  };
  assert.equal(text(["ab", "bc", "cd"]), ["a > b > c > d"]);
  assert.equal(text(["ab", "ac", "bd", "cd", "de"]), ["a > b+c > d > e"]);
  assert.equal(text(["ab", "ac", "bd"]), ["a > b+c", "b > d"]);
  assert.equal(text(["ac", "bc", "ad"]), ["a > c+d", "b > c"]);
  assert.equal(text([]), []);
});

test("a diff is one that patch would take", () => {
  const before = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
  const after = ["a", "B", "c", "d", "e", "f", "g", "h", "i", "j", "k"];
  const diff = lineDiff(before.join("\n"), after.join("\n"), ["one", "other"]);
  assert.equal(diff, [
    ...["--- one", "+++ other", "@@ -1,5 +1,5 @@", " a", "-b", "+B", " c", " d", " e"],
    ...["@@ -8,3 +8,4 @@", " h", " i", " j", "+k"],
  ]);
  assert.equal(lineDiff("a\nb", "a\nb", ["", ""]), []);
});

test("formatters change nothing of what is compared; people do", () => {
  const python =
    'f(\n    a="it\'s",\n    b=["x", "y"],\n    c=(\n        "one\\n"\n        "two"\n    ),\n)\n';
  assert.ok(isSamePython(python, `f(a="it's", b=['x', 'y'], c="one\\ntwo")`));
  assert.not.ok(isSamePython(python, python.replace('"x"', '"x "')));
  assert.not.ok(isSamePython(python, python.replace("c=", "d=")));
  assert.ok(isSamePython("x = (\n    f()\n)\n(\n    a\n    >> b\n)\n", "x = f()\na >> b\n"));
  assert.not.ok(isSamePython("x = (a & b) | c", "x = a & (b | c)"));
  assert.not.ok(isSamePython("x = (1, 2)", "x = 1, 2"));
});

test("a whole Dag: values as arguments, mapping, groups, and the rest of the edges", () => {
  const { python, faults, warnings } = emitDag(
    dagDocument({
      tasks: [
        task("extract", {
          downstream: ["load-all", "g.each", "g.check"],
          fields: { retries: 2, retry_exponential_backoff: 2 },
        }),
        task("load-all", {
          inputs: { rowList: xcom("extract"), ds: xcom("extract") },
          kind: "branch",
          downstream: ["last"],
        }),
        task("g.each", {
          inputs: {
            row: { ...xcom("extract"), kind: "each" },
            size: { kind: "each-literal", value: [1, "b"] },
          },
          downstream: ["last"],
        }),
        task("g.check", { inputs: { other: xcom("extract", "other") } }),
        task("last", {
          inputs: { all: xcom("g.each"), limit: { kind: "literal", value: 3 } },
          fields: { trigger_rule: "all_done" },
        }),
      ],
      group: "g",
    }),
    { queue: "typescript" },
  );
  assert.equal([faults, warnings], [[], []]);
  assert.is(python, WHOLE);
});

function xcom(taskId: string, key = "return_value") {
  return { kind: "xcom", task_id: taskId, key };
}

const WHOLE = `from datetime import timedelta

from airflow.sdk import DAG, TaskGroup, task

# The queue that [sdk] queue_to_coordinator sends to the coordinator of these tasks.
QUEUE = "typescript"

with DAG(
    dag_id="sales",
    schedule=None,
    dagrun_timeout=timedelta(hours=1),
):

    @task.stub(queue=QUEUE, retries=2, retry_exponential_backoff=2.0)
    def extract(): ...

    # A branch: what comes directly behind it and is not chosen is skipped.
    @task.stub(task_id="load-all", queue=QUEUE)
    def load_all(row_list): ...

    @task.stub(queue=QUEUE, trigger_rule="all_done")
    def last(): ...

    extract_task = extract()
    load_all_task = load_all(row_list=extract_task)

    with TaskGroup("g"):

        @task.stub(queue=QUEUE)
        def each(row, size): ...

        @task.stub(queue=QUEUE)
        def check(): ...

        each_task = each.expand(row=extract_task, size=[1, "b"])
        check_task = check()

    last_task = last()

    extract_task >> check_task
    [load_all_task, each_task] >> last_task
`;

test("what stubs can't say is told, all of it, and why", () => {
  const { faults } = emitDag(
    dagDocument({
      tasks: [
        task("a", {
          fields: { is_setup: true, trigger_rule: "sometimes", weight_rule: "my.Rule" },
        }),
        task("b", {
          inputs: {
            ds: { kind: "each-literal", value: [1] },
            x: { kind: "each", task_id: "c", key: "k" },
          },
        }),
        task("c", {
          fields: { queue: "q", retry_exponential_backoff: "2", doc_md: "half \ud83d" },
        }),
        task("d", {
          inputs: { row: { ...xcom("c"), kind: "each" } },
          fields: { queue: "q", trigger_rule: "always" },
        }),
      ],
      dag: {
        timetable: { __type: "my.Timetable", __var: {} },
        deadline: [{}],
        fail_fast: true,
      },
    }),
  );
  const told = faults.map(({ where, message }) => `${where}: ${message}`).join("\n");
  for (const words of [
    "Dag sales: has a deadline",
    'the timetable "my.Timetable"; what can be written is',
    "task a of Dag sales: is a set-up task",
    'task a of Dag sales: has "sometimes", where Airflow 3.3 knows all_success',
    'has "my.Rule", where Airflow 3.3 knows downstream, upstream, absolute, in weight_rule',
    "task a of Dag sales: names no queue",
    'task b of Dag sales: is mapped over "ds", which Airflow does not take as the name of an argument',
    'task b of Dag sales: is mapped over "k" of "c": Airflow maps over whole results alone',
    "task c of Dag sales: has something else than a number in retry_exponential_backoff",
    "task c of Dag sales: has a text with half a surrogate pair",
    'task d of Dag sales: has the trigger rule "always", and its Dag is fail_fast',
    'task d of Dag sales: has the trigger rule "always", and is mapped over a result',
  ]) {
    assert.match(told, words);
  }
});

test("what Airflow 3.3 can do without is a warning", () => {
  const { faults, warnings } = emitDag(
    dagDocument({
      tasks: [
        task("a", {
          fields: { queue: "q", returns_dag_result: true, retry_exponential_backoff: true },
        }),
      ],
      dag: { timezone: "Europe/Vienna" },
    }),
  );
  const told = warnings.map(({ message }) => message).join("\n");
  assert.equal(faults, []);
  assert.match(told, "returns_dag_result has no place in the Python file");
  assert.match(told, "has no start_date");
});

test.run();
