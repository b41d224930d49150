// What compiles and what must not: inputs and results of handlers. Compiled with the tests, never run.
import {
  Bundle,
  Duration,
  fromConf,
  fromTask,
  type InputValues,
  literal,
  type ResultOf,
  type TaskHandler,
  TaskStub,
  Tuple,
} from "@parlance/sdk-node";

interface Row {
  readonly id: number;
  readonly note?: string;
}

const bundle = new Bundle();

export const extract: TaskHandler<readonly Row[]> = async ({ client }) => {
  const rows = await client.getXCom<Row[]>({ taskId: "up" });
  return rows ?? [];
};
bundle.task("d", "extract", extract);

export const totalInputs = {
  rows: fromTask<ResultOf<typeof extract>>("extract"),
  limit: literal(100),
  since: fromConf<Date>("since"),
  region: fromConf("region", { default: "EMEA" }),
  count: fromTask("count", { parse: Number }),
  last: fromTask<Row | null>("last", { default: null }),
};

bundle.task("d", "total", { inputs: totalInputs }, ({ inputs, log }) => {
  const rows: readonly Row[] = inputs.rows;
  const [limit, since, region]: [number, Date, string] = [
    inputs.limit,
    inputs.since,
    inputs.region,
  ];
  const count: number = inputs.count;
  const last: Row | null = inputs.last;
  log.info("read", { limit, since, region, count });
  // @ts-expect-error: a number is no text
  const wrong: string = inputs.limit;
  // @ts-expect-error: there is no such input
  inputs.row;
  // @ts-expect-error: inputs are not written to
  inputs.limit = 5;
  // @ts-expect-error: it may be null
  last.id;
  return { total: rows.length, wrong };
});

// A handler of its own, typed by the declarations.
export const total: TaskHandler<number, InputValues<typeof totalInputs>> = ({ inputs }) =>
  inputs.rows.length;
bundle.task("d", "total2", { inputs: totalInputs }, total);
// @ts-expect-error: it needs inputs that this task does not declare
bundle.task("d", "total3", total);
// @ts-expect-error: and here one of them is of another type
bundle.task("d", "total4", { inputs: { ...totalInputs, limit: literal("5") } }, total);

// Without declarations there are none.
bundle.task("d", "none", ({ inputs }) => {
  // @ts-expect-error: none was declared
  const rows: Row[] = inputs.rows;
  return rows;
});

// @ts-expect-error: an input is declared with a function of the SDK
bundle.task("d", "bad", { inputs: { rows: "extract" } }, () => 1);
// @ts-expect-error: there is no such option
bundle.task("d", "bad", { input: {} }, () => 1);
// @ts-expect-error: a task id is text
fromTask(7);

// Results: what an XCom can hold.
class Order {
  total = (): number => 1;
}
bundle.task("d", "ok", () => ({ at: new Date(), set: new Set([1]), took: Duration.fromMs(5) }));
bundle.task("d", "ok", async () => [Tuple.of(1, "a"), 1n, null]);
bundle.task("d", "ok", () => {});
bundle.task("d", "ok", async (): Promise<Row | undefined> => undefined);
bundle.task("d", "ok", (): unknown => JSON.parse("{}"));
// @ts-expect-error: a Map is no XCom value
bundle.task("d", "bad", () => new Map([["a", 1]]));
// @ts-expect-error: bytes are none
bundle.task("d", "bad", async () => ({ bytes: new Uint8Array(1) }));
// @ts-expect-error: an object with methods is none
bundle.task("d", "bad", () => [new Order()]);
// @ts-expect-error: a function is none
bundle.task("d", "bad", async () => ({ call: () => 1 }));
// @ts-expect-error: a symbol is none
bundle.task("d", "bad", { inputs: { n: literal(1) } }, ({ inputs }) => [inputs.n, Symbol("s")]);

// Stubs, as `parlance types` writes them.
const totalTask = new TaskStub<typeof totalInputs, number>("d", "total", totalInputs);
bundle.task(totalTask, total);
bundle.task(totalTask, { executionTimeoutMs: 5 }, ({ inputs }) => inputs.rows.length);
bundle.task(totalTask, async ({ inputs }) => inputs.limit);
// @ts-expect-error: the Dag says that the result is a number
bundle.task(totalTask, () => "text");
// @ts-expect-error: the Dag passes no such input
bundle.task(totalTask, ({ inputs }) => inputs.nothing);
