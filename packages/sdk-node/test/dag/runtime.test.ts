import {
  asset,
  Bundle,
  dag,
  fromConf,
  fromTask,
  literal,
  param,
  requiredParam,
} from "@parlance/sdk-node";
import { runTask, TestAirflow } from "@parlance/sdk-node/testing";
import { test } from "uvu";
import * as assert from "uvu/assert";

const out = asset({ name: "out", uri: "s3://out/key" });

const flow = dag("d", {
  params: { region: param("eu", { enum: ["eu", "us"] }), limit: param(3, { minimum: 1 }) },
})
  .task("list", () => ["a", "b", "c"])
  .task("map", () => ({ x: 1, y: 2 }))
  .task(
    "seen",
    ({ params, inputs, inlets, outlets }) =>
      [params.region, params.limit, inputs, inlets, outlets].length,
  )
  .task("params", ({ params }) => [params.region, params.limit])
  .task("each", { forEach: { letter: "list", number: [1, 2], pair: "map" } }, ({ inputs }) => [
    inputs.letter,
    inputs.number,
    ...inputs.pair,
  ])
  .task("again", { forEach: { row: "each" } }, ({ inputs }) => inputs.row)
  .task(
    "join",
    {
      inputs: {
        all: "each",
        one: fromTask("each", { mapIndex: 1 }),
        whole: "list",
        conf: fromConf("c", { default: "none" }),
        five: literal(5),
      },
    },
    ({ inputs }) => inputs,
  )
  .task(
    "write",
    { outlets: [out], inlets: [out] },
    async ({ client, context, outlets, inlets }) => {
      if (context.mapIndex === -1 && context.conf["emit"]) {
        await client.assets.emit(out, { extra: { n: 1 } });
      }
      return [outlets[0]?.uri, inlets[0]?.name];
    },
  )
  .branch(
    "fork",
    { choices: ["left", "right", "g", "join_up"] },
    ({ context }) => context.conf["to"] as "left",
  )
  .task("left", () => 1)
  .task("right", { forEach: { n: [1, 2] } }, () => 1)
  .group("g", (g) => g.task("a", () => 1).task("b", { after: "a" }, () => 1))
  .task("join_up", { after: ["left"] }, () => 1)
  .task("behind", { after: ["fork", "g"] }, () => 1)
  .shortCircuit("stop", { after: "behind" }, ({ context }) => context.conf["go"] as boolean)
  .task("s1", { after: "stop" }, () => 1)
  .task("s2", { after: "s1" }, () => 1)
  .shortCircuit("soft", { ignoreDownstreamTriggerRules: false }, () => 0)
  .task("s3", { after: "soft" }, () => 1)
  .task("s4", { after: "s3" }, () => 1);

const run = (taskId: string, options: object = {}) => runTask(flow, { taskId, ...options });

test("params: the defaults, with what the run was started with in their place", async () => {
  assert.equal((await run("params")).returnValue, ["eu", 3]);
  const { returnValue } = await run("params", { conf: { region: "us", other: 1 } });
  assert.equal(returnValue, ["us", 3]);
  const wrong = await run("params", { conf: { limit: 0 } });
  assert.is(wrong.state, "failed");
  assert.match(wrong.error?.message ?? "", /param "limit" is 0, below 1/);
  const other = await run("params", { conf: { region: 7 } });
  assert.match(other.error?.message ?? "", /param "region" is 7, expected string/);
  const without = dag("r", { params: { who: requiredParam({ type: "string" }) } }).task(
    "t",
    () => 1,
  );
  assert.match(
    (await runTask(without)).error?.message ?? "",
    /started without it, and it has no default/,
  );
  assert.is((await runTask(without, { conf: { who: "me" } })).state, "success");
});

test("a mapped task gets its combination, the last name changing first", async () => {
  const xcoms = { list: ["a", "b", "c"], map: { x: 1, y: 2 } };
  const results: unknown[] = [];
  for (let mapIndex = 0; mapIndex < 12; mapIndex++) {
    results.push((await run("each", { mapIndex, xcoms })).returnValue);
  }
  const expected = ["a", "b", "c"].flatMap((letter) =>
    [1, 2].flatMap((number) =>
      [["x", 1] as const, ["y", 2] as const].map((pair) => [letter, number, ...pair]),
    ),
  );
  assert.equal(results, expected);
  const beyond = await run("each", { mapIndex: 12, xcoms });
  assert.match(
    beyond.error?.message ?? "",
    /input "letter": there are 3 elements, too few for an instance 12/,
  );
  const unmapped = await run("each", { xcoms });
  assert.match(unmapped.error?.message ?? "", /started without a map index/);
  const empty = await run("each", { mapIndex: 0, xcoms: { ...xcoms, map: {} } });
  assert.match(empty.error?.message ?? "", /input "pair": there are 0 elements/);
  const none = await run("each", { mapIndex: 0, xcoms: { list: ["a"] } });
  assert.match(none.error?.message ?? "", /task "map" stored no list and no map/);
});

test("a task that is mapped over a mapped one, and one that takes all of it", async () => {
  const xcoms = { each: ["r0", "r1", "r2"], list: [1] };
  assert.is((await run("again", { mapIndex: 2, xcoms })).returnValue, "r2");
  assert.is((await run("again", { mapIndex: 3, xcoms })).state, "failed");
  const { returnValue } = await run("join", { xcoms });
  assert.equal(returnValue, {
    all: ["r0", "r1", "r2"],
    one: "r1",
    whole: [1],
    conf: "none",
    five: 5,
  });
});

test("a result that is mapped over tells its length, and must be a list or a map", async () => {
  const airflow = new TestAirflow();
  assert.is((await airflow.run(flow, { taskId: "list" })).state, "success");
  const returns = (result: unknown) =>
    dag("b")
      .task("t", () => result as number[])
      .task("e", { forEach: { x: "t" } }, () => 1);
  for (const [result, said] of [
    [7, "7"],
    [new Map([["a", 1]]), "an instance of Map"],
  ] as const) {
    const { error } = await runTask(returns(result), { taskId: "t" });
    assert.match(error?.message ?? "", `result is ${said}, expected a list or a map`);
    assert.match(error?.message ?? "", "a task is mapped over it (forEach)");
  }
});

test("outlets get an event when the task has succeeded, with an extra when it says so", async () => {
  const assets = [{ name: "out", uri: "s3://out/key" }];
  const { returnValue, requests, assetEvents } = await runTask(flow, { taskId: "write", assets });
  assert.equal(returnValue, ["s3://out/key", "out"]);
  assert.equal(requests.at(-1), "SucceedTask");
  assert.equal(
    assetEvents.map(({ name, extra }) => [name, extra]),
    [["out", {}]],
  );
  const said = await runTask(flow, { taskId: "write", assets, conf: { emit: true } });
  assert.equal(
    said.assetEvents.map(({ name, extra }) => [name, extra]),
    [["out", { n: 1 }]],
  );
});

test("a branch skips what is directly behind it, but for what comes behind its choice too", async () => {
  const skips = async (to: unknown) => {
    const { skippedTasks, state, returnValue, xcoms } = await run("fork", { conf: { to } });
    assert.is(state, "success");
    return [
      skippedTasks,
      returnValue ?? null,
      (xcoms["skipmixin_key"] as { followed: unknown }).followed,
    ];
  };
  const right = ["right", ["right", 0], ["right", 1]];
  assert.equal(await skips("left"), [["behind", "g.a", ...right], "left", ["join_up", "left"]]);
  assert.equal(await skips(["g", "join_up"]), [
    ["left", ...right],
    ["g", "join_up"],
    ["behind", "g.a", "join_up"],
  ]);
  assert.equal(await skips("right"), [["behind", "g.a", "join_up", "left"], "right", ["right"]]);
  assert.equal(await skips(null), [["behind", "g.a", "join_up", "left", ...right], null, []]);
});

test("a branch that names what it cannot choose fails and says what it can", async () => {
  const { state, error } = await run("fork", { conf: { to: "behind" } });
  assert.is(state, "failed");
  assert.match(
    error?.message ?? "",
    /returned the text "behind", expected .* it can choose from left, right, g, join_up/,
  );
  assert.match(
    (await run("fork", { conf: { to: [5] } })).error?.message ?? "",
    /The branch returned 5,/,
  );
});

test("a short circuit skips all that is behind it, or what is directly behind it", async () => {
  const ended = await run("stop", { conf: { go: false } });
  assert.equal(
    [ended.state, ended.skippedTasks, ended.returnValue],
    ["success", ["s1", "s2"], false],
  );
  assert.equal(ended.xcoms["skipmixin_key"], { skipped: ["s1", "s2"] });
  assert.equal((await run("stop", { conf: { go: true } })).skippedTasks, []);
  assert.equal((await run("soft")).skippedTasks, ["s3"]);
});

test("inputs can be given in a test, in place of what was declared", async () => {
  const inputs = { letter: "z", number: 9, pair: ["k", 1] };
  assert.equal((await run("each", { mapIndex: 0, inputs })).returnValue, ["z", 9, "k", 1]);
  const given = await run("join", { inputs: { all: [], one: 1, whole: [2] } });
  assert.equal(given.returnValue, { all: [], one: 1, whole: [2], conf: "none", five: 5 });
  try {
    await run("join", { inputs: { rows: 1 } });
    assert.unreachable();
  } catch (error) {
    assert.match((error as Error).message, /has no input "rows"; it has all, one, whole/);
  }
});

test("arguments that Airflow passes win over what is declared", async () => {
  const { returnValue } = await run("join", {
    callArguments: { whole: ["argument"], five: 6 },
    xcoms: { each: [1, 2], list: [0] },
  });
  assert.equal(returnValue, { all: [1, 2], one: 2, whole: ["argument"], conf: "none", five: 6 });
});

test("a bundle has Dags and single tasks, each id once", () => {
  const other = dag("o").task("t", () => 1);
  const bundle = new Bundle()
    .task("single", "t", () => 1)
    .add(flow)
    .add(other);
  assert.equal(
    bundle.list().map(([id]) => id),
    ["single", "d", "o"],
  );
  assert.equal(
    bundle.dags.map(({ dagId }) => dagId),
    ["d", "o"],
  );
  assert.throws(() => bundle.add(dag("single").task("t", () => 1)), /"single" is declared twice/);
  assert.throws(() => bundle.task("o", "u", () => 1), /"o" is declared twice/);
  assert.throws(() => bundle.add({} as never), /got a value of type object, expected dag/);
  assert.throws(
    () => other.task("late", () => 1),
    /the Dag is complete since it was served, tested/,
  );
});

test.run();
