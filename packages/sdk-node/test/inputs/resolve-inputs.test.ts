import {
  eachOf,
  fromArgument,
  fromConf,
  fromTask,
  type InputDeclarations,
  type InputError,
  literal,
  type TaskContext,
} from "@parlance/sdk-node";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readArgumentBindings } from "../../dist/inputs/argument-binding.js";
import { resolveInputs } from "../../dist/inputs/resolve-inputs.js";

type Stored = Readonly<Record<string, readonly unknown[]>>;

/** Instances by task: one is an unmapped task's XCom, more are those of a mapped one. */
const STORED: Stored = {
  extract: [[1, 2, 3]],
  pairs: [{ a: 1, b: 2 }],
  nothing: [null],
  mapped: ["x", "y"],
};

function resolve(
  declarations: InputDeclarations,
  options: { readonly bindings?: unknown; readonly context?: Partial<TaskContext> } = {},
): Promise<{ readonly values: object; readonly asked: string[]; readonly warned: unknown[] }> {
  const asked: string[] = [];
  const warned: unknown[] = [];
  const valuesOf = (taskId: string) => STORED[taskId] ?? [];
  const client = {
    getXCom: async ({
      taskId,
      key,
      mapIndex,
    }: {
      taskId: string;
      key?: string;
      mapIndex?: number;
    }) => {
      asked.push(`${taskId}.${key ?? "return_value"}`);
      const values = valuesOf(taskId);
      return typeof mapIndex === "number"
        ? values[mapIndex]
        : values.length === 1
          ? values[0]
          : null;
    },
    countXComs: async ({ taskId }: { taskId: string }) => valuesOf(taskId).length,
    getXComSlice: async ({
      taskId,
      start,
      stop,
    }: {
      taskId: string;
      start: number;
      stop: number;
    }) => valuesOf(taskId).slice(start, stop),
  };
  const parts = {
    declarations,
    bindings: readArgumentBindings(options.bindings),
    client,
    context: { conf: { region: "EMEA" }, mapIndex: -1, ...options.context },
    log: { warning: (_: string, fields: { arguments: unknown }) => warned.push(fields.arguments) },
  };
  return resolveInputs(parts as never).then((values) => ({ values, asked, warned }));
}

async function failure(...args: Parameters<typeof resolve>): Promise<InputError> {
  return (await rejects(resolve(...args))) as InputError;
}

test("without bindings the inputs come from where they were declared to", async () => {
  const { values, asked } = await resolve({
    rows: fromTask("extract"),
    named: fromTask("extract", { key: "other" }),
    limit: literal(5),
    region: fromConf("region"),
    page: fromConf("page", { default: 1 }),
    none: fromTask("nothing", { default: 7 }),
    left: fromTask("absent", { default: null }),
    second: fromTask("mapped", { mapIndex: 1 }),
    text: fromTask("extract", { parse: String }),
  });
  assert.equal(values, {
    rows: [1, 2, 3],
    named: [1, 2, 3],
    limit: 5,
    region: "EMEA",
    page: 1,
    none: null, // stored: the default is for what is absent
    left: null,
    second: "y",
    text: "1,2,3",
  });
  assert.equal(asked.slice(0, 2), ["extract.return_value", "extract.other"]);
});

test("bindings win, by name, by the name in snake case, or by the name that is given", async () => {
  const declarations = {
    userRows: fromTask("nobody"),
    limit: literal(5),
    other: literal("declared", { argument: "py_name" }),
    own: literal("own"),
  };
  const bindings = [
    { name: "user_rows", value_schema: null, kind: "xcom", task_id: "extract" },
    { name: "limit", value_schema: null, kind: "literal", value: 9, from_default: true },
    { name: "py_name", value_schema: null, kind: "literal", value: null, from_default: false },
    { name: "unused", value_schema: null, kind: "literal", value: 1, from_default: false },
    { name: "unused_default", value_schema: null, kind: "literal", value: 1, from_default: true },
  ];
  const { values, warned } = await resolve(declarations, { bindings });
  assert.equal(values, { userRows: [1, 2, 3], limit: 9, other: null, own: "own" });
  assert.equal(warned, [["unused"]]);
});

test("a task that declares no inputs asks for none", async () => {
  const bindings = [{ name: "rows", value_schema: null, kind: "xcom", task_id: "extract" }];
  assert.equal(await resolve({}, { bindings }), { values: {}, asked: [], warned: [] });
});

test("a mapped task gets its own element", async () => {
  const at = (mapIndex: number) => ({ context: { mapIndex } });
  assert.equal((await resolve({ x: eachOf("extract") }, at(2))).values, { x: 3 });
  assert.equal((await resolve({ x: eachOf("pairs") }, at(1))).values, { x: ["b", 2] });
  assert.equal((await resolve({ x: eachOf("mapped") }, at(1))).values, { x: "y" });
  assert.equal((await resolve({ x: eachOf([7, 8]) }, at(1))).values, { x: 8 });
  for (const [taskId, index] of [
    ["extract", 3],
    ["extract", -1],
    ["mapped", 2],
    ["absent", 0],
  ] as const) {
    assert.is((await failure({ x: eachOf(taskId) }, at(index))).code, "input-missing");
  }
});

test("an input that only an argument can be", async () => {
  const bindings = [{ name: "x", value_schema: null, kind: "literal", value: 3 }];
  assert.equal((await resolve({ x: fromArgument() }, { bindings })).values, { x: 3 });
  assert.equal((await resolve({ x: fromArgument({ default: 5 }) })).values, { x: 5 });
  const missing = await failure({ x: fromArgument() });
  assert.is(missing.code, "input-missing");
  assert.match(missing.message, "packed with --schema-version 2026-10-30");
});

test("what is missing, refused or not understood ends the task before its handler", async () => {
  const missing = await failure({ rows: fromTask("absent") });
  assert.is(missing.code, "input-missing");
  assert.is(missing.input, "rows");
  assert.match(missing.message, /"rows": task "absent" stored nothing/);
  assert.match((await failure({ rows: fromTask("mapped") })).message, /is mapped/);
  assert.is((await failure({ page: fromConf("page") })).code, "input-missing");
  const parse = () => {
    throw new Error("no rows");
  };
  const rejected = await failure({ rows: literal(1, { parse }) });
  assert.is(rejected.code, "input-rejected");
  assert.match(rejected.message, /"rows": no rows/);
  const bindings = [{ name: "rows", kind: "telepathy" }];
  assert.is((await failure({ rows: literal(1) }, { bindings })).code, "input-unsupported");
  assert.throws(() => readArgumentBindings([{ kind: "literal" }]), /arg_bindings/);
  assert.throws(() => readArgumentBindings({}), /arg_bindings/);
});

test("a value that is not what the parameter is annotated as ends it too", async () => {
  const value_schema = { type: "array", items: { type: "string" } };
  const bindings = [{ name: "rows", value_schema, kind: "xcom", task_id: "extract" }];
  const mismatch = await failure({ rows: fromTask("extract") }, { bindings });
  assert.is(mismatch.code, "input-mismatch");
  assert.match(
    mismatch.message,
    /"rows": \/0 is the number 1, expected text, as the parameter "rows"/,
  );
});

test.run();
