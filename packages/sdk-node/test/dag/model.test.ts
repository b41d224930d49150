import { asset, dag, fromTask, param } from "@parlance/sdk-node";
import { test } from "uvu";
import * as assert from "uvu/assert";

const handler = () => [1];

/** Dependencies as text: `a>b`. */
function edges({
  tasks,
}: {
  readonly tasks: readonly { readonly taskId: string; readonly downstream: readonly string[] }[];
}) {
  return tasks
    .flatMap(({ taskId, downstream }) => downstream.map((id) => `${taskId}>${id}`))
    .sort();
}

test("dependencies come from after, before, inputs, forEach and choices", () => {
  const { model } = {
    model: dag("d")
      .task("a", handler)
      .task("b", { before: "a" }, handler)
      .task("c", { after: ["a", "b"], inputs: { x: "a" } }, handler)
      .task("d", { forEach: { x: "c", y: [1] } }, handler)
      .task(
        "e",
        {
          inputs: {
            x: fromTask("d"),
            y: fromTask("a", { includePriorDates: true }),
            z: fromTask("q", { dagId: "o" }),
          },
        },
        handler,
      )
      .branch("f", { after: "e", choices: ["g", "h"] }, () => "g")
      .task("g", handler)
      .group("h", (h) => h.task("i", handler)).model,
  };
  assert.equal(edges(model), ["a>c", "b>a", "b>c", "c>d", "d>e", "e>f", "f>g", "f>h.i"]);
  assert.equal(model.tasks.find(({ taskId }) => taskId === "d")?.inputs, {
    x: { kind: "each", taskId: "c", key: "return_value" },
    y: { kind: "each-literal", value: [1] },
  });
  assert.equal(
    model.tasks.filter(({ isMappedOver }) => isMappedOver).map(({ taskId }) => taskId),
    ["c"],
  );
  assert.equal(model.tasks.find(({ taskId }) => taskId === "f")?.choices, ["g", "h"]);
});

test("a group as a whole: what is before it comes before its first tasks, what is after it after its last", () => {
  const { model } = dag("d")
    .task("a", handler)
    .group("g", { after: "a", tooltip: "G" }, (g) =>
      g
        .task("one", handler)
        .task("two", { after: "one" }, handler)
        .group("deep", { after: "one" }, (deep) =>
          deep.task("three", handler).task("four", { after: "three" }, handler),
        ),
    )
    .group("h", { after: "g" }, (h) => h.task("five", handler))
    .task("end", { after: "h" }, handler);
  assert.equal(edges(model), [
    "a>g.one",
    "g.deep.four>h.five",
    "g.deep.three>g.deep.four",
    "g.one>g.deep.three",
    "g.one>g.two",
    "g.two>h.five",
    "h.five>end",
  ]);
  const [g, deep, h] = model.groups;
  assert.equal([g?.upstreamTaskIds, g?.downstreamGroupIds], [["a"], ["h"]]);
  assert.equal([deep?.upstreamTaskIds, deep?.parentId, deep?.label], [["g.one"], "g", "deep"]);
  assert.equal([h?.upstreamGroupIds, h?.downstreamTaskIds], [["g"], ["end"]]);
  assert.equal(
    model.children.map(({ id }) => id),
    ["a", "g", "h", "end"],
  );
  assert.equal(
    g?.children.map(({ kind, id }) => `${kind} ${id}`),
    ["task g.one", "task g.two", "group g.deep"],
  );
});

test("within a group its own tasks are meant first", () => {
  const { model } = dag("d")
    .task("rows", handler)
    .group("g", (g) =>
      g.task("rows", handler).task("sum", { after: "rows", inputs: { all: "g.rows" } }, handler),
    );
  assert.equal(edges(model), ["g.rows>g.sum"]);
});

test("settings: a task's own over the group's over the Dag's", () => {
  const { model } = dag("d", { taskDefaults: { retries: 1, pool: "p", owner: "me" } })
    .task("a", { retries: 2, retryExponentialBackoff: 1.5 }, handler)
    .group("g", { taskDefaults: { pool: "q" } }, (g) => g.task("b", { owner: "you" }, handler));
  assert.equal(
    model.tasks.map(({ settings }) => settings),
    [
      { retries: 2, pool: "p", owner: "me", retryExponentialBackoff: 1.5 },
      { retries: 1, pool: "q", owner: "you" },
    ],
  );
});

test("schedules", () => {
  const [a, b, c] = [
    asset("a"),
    asset({ uri: "s3://b" }),
    asset({ name: "c", uri: "s3://c", group: "g", extra: { x: 1 } }),
  ];
  const of = (schedule: Parameters<typeof dag>[1]) =>
    dag("d", schedule).task("t", handler).model.schedule;
  assert.equal(of({}), { kind: "none" });
  assert.equal(of({ schedule: "@quarterly" }), {
    kind: "cron",
    expression: "0 0 1 */3 *",
    preset: "@quarterly",
  });
  assert.equal(of({ schedule: " 5  4 * jan-mar MON#2 " }), {
    kind: "cron",
    expression: "5 4 * jan-mar MON#2",
    preset: null,
  });
  assert.equal(of({ schedule: { everyMs: 5000 } }), { kind: "every", everyMs: 5000 });
  assert.equal(of({ schedule: "@once" }), { kind: "once" });
  const plainA = { kind: "asset", asset: { name: "a", uri: "a", group: "asset", extra: {} } };
  const plainB = {
    kind: "asset",
    asset: { name: "s3://b", uri: "s3://b/", group: "asset", extra: {} },
  };
  const plainC = {
    kind: "asset",
    asset: { name: "c", uri: "s3://c/", group: "g", extra: { x: 1 } },
  };
  assert.equal(of({ schedule: a }), { kind: "assets", condition: plainA });
  assert.equal(of({ schedule: a.and(b).and(c) }), {
    kind: "assets",
    condition: { kind: "all", of: [plainA, plainB, plainC] },
  });
  assert.equal(of({ schedule: [a, b.or(c)] }), {
    kind: "assets",
    condition: { kind: "all", of: [plainA, { kind: "any", of: [plainB, plainC] }] },
  });
  const continuous = dag("d", { schedule: "@continuous" }).task("t", handler).model;
  assert.equal([continuous.schedule, continuous.maxActiveRuns], [{ kind: "continuous" }, 1]);
});

test("params have the type of their default where nobody says another", () => {
  const { params } = dag("d", {
    params: {
      text: param("a"),
      number: param(1, { minimum: 0, description: "D", title: "T" }),
      integer: param(1, { type: "integer" }),
      list: param([1]),
      map: param({ a: 1 }),
      none: param<string | null>(null),
    },
  }).task("t", handler).model;
  assert.equal(
    params.map(({ name, schema, description }) => [name, schema, description]),
    [
      ["text", { type: "string" }, null],
      ["number", { type: "number", minimum: 0, title: "T" }, "D"],
      ["integer", { type: "integer" }, null],
      ["list", { type: "array" }, null],
      ["map", { type: "object" }, null],
      ["none", {}, null],
    ],
  );
});

test.run();
