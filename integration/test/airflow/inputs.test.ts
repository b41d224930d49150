import { test } from "uvu";
import * as assert from "uvu/assert";
import { type PackedRun, packedRuns } from "./support/packed-runs.ts";
import { superviseCases } from "./support/supervise-cases.ts";

// One source in two packs, under the real supervisors: what the Dag binds arrives only in the newer
// one on 3.4; everywhere else the same inputs are pulled.

function wrapped(className: string, version: number, data: unknown): object {
  return { __classname__: className, __version__: version, __data__: data };
}

const UTC = wrapped("builtins.tuple", 1, ["UTC", "pendulum.tz.timezone.FixedTimezone", 1, true]);
const moment = (timestamp: number) => wrapped("datetime.datetime", 2, { timestamp, tz: UTC });
const WRAPPED = {
  at: moment(1_767_323_045.678901),
  pair: wrapped("builtins.tuple", 1, [1, wrapped("datetime.timedelta", 2, 90.5)]),
  model: wrapped("shop.models.Order", 1, { id: 7 }),
};
const store = {
  xcoms: [
    { task_id: "extract", value: [1, 2, 3] },
    { task_id: "other", value: [10, 20, 30] },
    { task_id: "since", value: moment(1_767_312_000.5) },
    { task_id: "wrapped", value: WRAPPED },
  ],
};
const INT = { type: "integer", format: "int64" };
const ROWS = { type: "array", items: INT };
const literal = (name: string, value: unknown, from_default: boolean) => {
  return { name, value_schema: null, kind: "literal", value, from_default };
};
const xcom = (name: string, task_id: string, value_schema: object | null = null) => {
  return { name, value_schema, kind: "xcom", task_id };
};

for await (const run of packedRuns("inputs.ts", "inputs")) registerTests(run);

function registerTests({ version, schema, bundlesRoot, label }: PackedRun): void {
  const isBound = schema === "2026-10-30";
  const task = (taskId: string, argBindings?: readonly unknown[]) => {
    const bindings = version === "3.4.0b2" && argBindings !== undefined ? { argBindings } : {};
    return { dagId: "inputs", taskId, ...bindings };
  };
  const run = superviseCases(
    version,
    { bundlesRoot, store },
    {
      // As the Dag has it: total(extract(), since=since(), row_limit=2)
      total: task("total", [
        xcom("rows", "extract", ROWS),
        literal("row_limit", 2, false),
        xcom("since", "since", { type: "string", format: "date-time" }),
        literal("region", "EMEA", true),
      ]),
      unbound: task("total"),
      other: task("total", [
        xcom("rows", "other"),
        literal("row_limit", 3, false),
        literal("more", 1, false),
      ]),
      mismatch: task("declared", [
        xcom("rows", "extract", { type: "array", items: { type: "string" } }),
      ]),
      missing: { ...task("declared", [xcom("rows", "nobody")]), store: {} },
      each: { ...task("each"), mapIndex: 2 },
      passOn: task("pass_on"),
      values: task("values"),
      refused: task("refused"),
      raw: task("raw"),
      outputs: task("outputs"),
    },
  );
  const result = async (name: Parameters<typeof run>[0]) => {
    const { taskId, serverState, supervisorError, xcoms, taskLog } = await run(name);
    assert.is(supervisorError, null);
    const own = xcoms.find((row) => row.taskId === taskId && row.key === "return_value");
    return { state: serverState, value: own?.value, log: taskLog };
  };
  const TOTAL = {
    sum: 3,
    region: "EMEA",
    since: "2026-01-02T00:00:00.500000+00:00",
    tomorrow: moment(1_767_398_400.5),
  };

  test(`${label} the same inputs, bound by the Dag or pulled`, async () => {
    for (const name of ["total", "unbound"] as const) {
      const { state, value } = await result(name);
      assert.is(state, "success");
      assert.equal(value, TOTAL);
    }
  });

  test(`${label} what the Dag binds wins, where it is told`, async () => {
    const { value, log } = await result("other");
    assert.equal(value, { ...TOTAL, sum: isBound ? 60 : 3 });
    const warnings = log.filter(({ level }) => level === "warning");
    assert.equal(
      warnings.map((record) => record["arguments"]),
      isBound ? [["more"]] : [],
    );
  });

  test(`${label} a value that is not as annotated, and one that is missing, fail the task`, async () => {
    const mismatch = await result("mismatch");
    assert.is(mismatch.state, isBound ? "failed" : "success");
    if (isBound) {
      const text = String(mismatch.log.at(0)?.["error"]);
      assert.match(text, /InputError: input "rows": \/0 is the number 1, expected text/);
    }
    const missing = await result("missing");
    assert.is(missing.state, "failed");
    const upstream = isBound ? "nobody" : "extract";
    assert.match(String(missing.log.at(0)?.["error"]), `task "${upstream}" stored nothing`);
  });

  test(`${label} a result of several outputs is stored whole and one by one`, async () => {
    const { xcoms } = await run("outputs");
    const own = xcoms.filter((row) => row.taskId === "outputs");
    const day = wrapped("datetime.date", 2, "2026-01-02");
    assert.equal(Object.fromEntries(own.map(({ key, value }) => [key, value])), {
      sum: 3,
      day,
      return_value: { sum: 3, day },
    });
  });

  test(`${label} a mapped task gets its element of the list`, async () => {
    assert.is((await result("each")).value, 30);
  });

  test(`${label} values of Python are passed on as they came, and made as Python makes them`, async () => {
    assert.equal((await result("passOn")).value, WRAPPED);
    assert.equal((await result("values")).value, {
      took: wrapped("datetime.timedelta", 2, 90),
      price: wrapped("decimal.Decimal", 1, "1.10"),
      pair: wrapped("builtins.tuple", 1, [1, wrapped("builtins.set", 1, ["a"])]),
    });
    assert.equal(JSON.parse(String((await result("raw")).value)), WRAPPED);
    const refused = await result("refused");
    assert.is(refused.state, "failed");
    assert.match(String(refused.log.at(0)?.["error"]), "setXCom: /deep/0 is an instance of Map");
  });
}

test.run();
