import * as assert from "uvu/assert";
import { type Flow, printed } from "../support/flow.ts";
import { RUN_ID } from "../support/python-tasks.ts";

const serde = (name: string, version: number, data: unknown) => {
  return { __classname__: name, __version__: version, __data__: data };
};

/** What operators return, and what others pull. */
export const returnedAndPulled: Flow = async ({ run, xcoms }) => {
  const pushed = { n: 1, pi: 3.5, text: "h\u00e9llo \u4e16\u754c", none: null, list: [1, 2] };
  const results = await Promise.all(
    ["push", "push_rich", "push_none", "push_multi"].map((taskId) => run(taskId)),
  );
  assert.equal(
    results.map(({ finalState }) => finalState),
    ["success", "success", "success", "success"],
  );
  assert.equal(await xcoms("push"), { return_value: pushed });
  assert.equal(await xcoms("push_none"), {});
  assert.equal(await xcoms("push_multi"), { a: 1, b: [2], return_value: { a: 1, b: [2] } });
  const { return_value: rich } = await xcoms("push_rich");
  const zone = serde("builtins.tuple", 1, ["UTC", "pendulum.tz.timezone.FixedTimezone", 1, true]);
  assert.equal(rich, {
    when: serde("datetime.datetime", 2, { timestamp: 1767323045.678901, tz: zone }),
    delta: serde("datetime.timedelta", 2, { $: "float", v: "90.0" }),
    tup: serde("builtins.tuple", 1, [1, 2]),
    day: serde("datetime.date", 2, "2026-01-02"),
    big: { $: "int", v: String(2n ** 62n) },
  });

  const pull = await run("pull");
  assert.is(pull.finalState, "success");
  assert.equal(await xcoms("pull"), { return_value: 2 });
  assert.ok(printed(pull.records).some((line) => line.startsWith("pulled {'n': 1, 'pi': 3.5")));
  assert.is((await run("pull_kinds")).finalState, "success");
  assert.equal(await xcoms("pull_kinds"), {
    mine: { x: 1 },
    return_value: [pushed, [pushed, { a: 1, b: [2] }], null, null],
  });
};

/** A list that a task is mapped over, its instances at once, and their list. */
export const mapped: Flow = async ({ run, xcoms, instance, store }) => {
  await run("mk_list");
  const list = { dagId: "proof", runId: RUN_ID, taskId: "mk_list", key: "return_value" };
  assert.is((await store.xcoms.get({ ...list, mapIndex: -1 }))?.mappedLength, 3);
  const indexes = [0, 1, 2];
  const results = await Promise.all(
    indexes.map((mapIndex) => run("mapped", { spec: { mapIndex } })),
  );
  for (const mapIndex of indexes) {
    const letter = "abc"[mapIndex];
    assert.is(results[mapIndex]?.finalState, "success");
    assert.equal(await xcoms("mapped", mapIndex), { return_value: `${letter}5` });
    assert.is((await instance("mapped", mapIndex)).renderedMapIndex, `lbl-${letter}`);
  }
  const reduced = await run("reduce");
  assert.equal(await xcoms("reduce"), { return_value: ["a5", "b5", "c5"] });
  assert.equal(printed(reduced.records), ["3 a5 ['a5', 'b5'] ['a5', 'b5', 'c5']"]);
  const bad = await run("mk_bad", { spec: { shouldRetry: true, maxTries: 1 } });
  assert.is(bad.finalState, "up_for_retry", "None can't be mapped over");
};

/** Variables and Connections: read, written, listed, deleted, missing. */
export const variablesAndConnections: Flow = async ({ run, xcoms, store }) => {
  const [result, missing, noConnection, threads, loops] = await Promise.all(
    ["var_conn", "var_missing", "conn_missing", "threads", "async_vars"].map((id) => run(id)),
  );
  assert.is(result?.finalState, "success");
  const returned = ["hello", { k: [1, 2] }, "fallback", "https", "bob"];
  assert.equal(await xcoms("var_conn"), { return_value: returned });
  assert.is(await store.variables.get("written"), undefined);
  assert.ok(!JSON.stringify(result?.records).includes("pw-hunter2"));
  assert.is(missing?.finalState, "failed");
  assert.ok(JSON.stringify(missing?.records).includes("Variable absent not found"));
  assert.is(noConnection?.finalState, "failed");
  assert.is(threads?.finalState, "success");
  assert.equal(await xcoms("threads"), { return_value: ["1", "2", "3", "4", "5", "d"] });
  assert.is(loops?.finalState, "success");
  assert.equal(await xcoms("async_vars"), { return_value: ["example.org", "c2", "c3"] });
};
