// What compiles and what must not: whole Dags. Compiled with the tests, never run.
import {
  asset,
  Bundle,
  type DynamicDag,
  dag,
  fromConf,
  fromTask,
  literal,
  param,
  requiredParam,
  serve,
} from "@parlance/sdk-node";

interface Row {
  readonly id: number;
  readonly note?: string;
}

const orders = asset({ name: "orders", uri: "s3://shop/orders" });

// Exported: its type has to be one that a declaration file can name.
export const pipeline = dag("sales", {
  schedule: orders.and(asset("rates")).or(asset({ uri: "s3://x" })),
  params: {
    region: param("eu", { enum: ["eu", "us"] }),
    limit: param(10, { minimum: 1 }),
    tags: param<readonly string[]>([]),
    who: requiredParam<string>({ type: "string" }),
  },
  taskDefaults: { retries: 2, retryExponentialBackoff: 2 },
})
  .task("extract", { retries: 3, outlets: [orders] }, async ({ params }): Promise<Row[]> => {
    const region: "eu" | "us" = params.region;
    const limit: number = params.limit;
    const tags: readonly string[] = params.tags;
    const who: string = params.who;
    // @ts-expect-error: there is no such param
    params.regions;
    // @ts-expect-error: a number is no text
    const wrong: string = params.limit;
    return [{ id: limit, note: region + tags.length + who + wrong }];
  })
  .task("count", () => 5)
  .task("nothing", () => {})
  .task("load", { inputs: { rows: "extract", count: fromTask("count") } }, ({ inputs }) => {
    const rows: readonly Row[] = inputs.rows;
    const count: number = inputs.count;
    // @ts-expect-error: not a text
    const wrong: string = inputs.count;
    // @ts-expect-error: there is no such input
    inputs.row;
    return { total: rows.length + count, wrong };
  })
  .task(
    "each",
    { after: "load", forEach: { row: "extract", size: ["s", "m"], pair: { a: 1 } } },
    ({ inputs }) => {
      const row: Row = inputs.row;
      const size: "s" | "m" = inputs.size;
      const pair: readonly [string, number] = inputs.pair;
      return { id: row.id, size, pair };
    },
  )
  .task(
    "join",
    {
      inputs: {
        all: "each",
        again: fromTask("each"),
        typed: fromTask<Row[]>("extract"),
        conf: fromConf<string>("x"),
        five: literal(5),
        keyed: fromTask("extract", { key: "other", parse: Number }),
        maybe: fromTask("extract", { default: null }),
        other: fromTask("extract", { key: "other" }),
        elsewhere: fromTask<number>("other", { dagId: "another" }),
      },
    },
    ({ inputs }) => {
      const all: readonly { id: number; size: "s" | "m" }[] = inputs.all;
      const again: readonly { id: number }[] = inputs.again;
      const typed: Row[] = inputs.typed;
      const [conf, five, keyed]: [string, number, number] = [
        inputs.conf,
        inputs.five,
        inputs.keyed,
      ];
      const elsewhere: number = inputs.elsewhere;
      const maybe: readonly Row[] | null = inputs.maybe;
      const sure: readonly Row[] = maybe ?? [];
      sure[0]?.id.toFixed();
      // @ts-expect-error: what is under a key may be anything
      const other: Row[] = inputs.other;
      // @ts-expect-error: it may be null
      maybe.length + other.length;
      // @ts-expect-error: a list
      inputs.all.id;
      return [all.length, again.length, typed.length, conf, five, keyed, elsewhere];
    },
  )
  .branch("choose", { after: ["join"], choices: ["small", "large", "checks"] }, ({ params }) =>
    params.limit > 5 ? "small" : ["large", "checks"],
  )
  .task("small", { triggerRule: "none_failed", after: "choose" }, () => 1)
  .task("large", () => 1)
  .shortCircuit("go", { after: ["small"], ignoreDownstreamTriggerRules: false }, () => false)
  .group("checks", (checks) =>
    checks
      .task("rows", { inputs: { rows: "extract" } }, ({ inputs }) => inputs.rows.length)
      .task(
        "totals",
        { after: ["rows", "small", "checks.rows"], inputs: { rows: "rows" } },
        (task) => {
          const rows: number = task.inputs.rows;
          return rows;
        },
      )
      .group("deep", { after: "rows", tooltip: "deep" }, (deep) =>
        deep.task("one", { inputs: { t: "checks.totals" } }, ({ inputs }) => inputs.t + 1),
      ),
  )
  .task("end", { after: ["checks", "checks.deep"], inputs: { one: "checks.deep.one" } }, (task) => {
    const one: number = task.inputs.one;
    return one;
  });

// @ts-expect-error: no such task
pipeline.task("x", { after: ["extrac"] }, () => 1);
// @ts-expect-error: no such task
pipeline.task("x", { after: "extrac" }, () => 1);
// @ts-expect-error: no such task
pipeline.task("x", { inputs: { rows: "extrac" } }, () => 1);
// @ts-expect-error: no such task
pipeline.task("x", { inputs: { rows: fromTask("extrac") } }, () => 1);
// @ts-expect-error: no such task
pipeline.task("x", { inputs: { rows: fromTask("extrac", { key: "k" }) } }, () => 1);
// @ts-expect-error: the name within the group only goes there
pipeline.task("x", { inputs: { rows: "rows" } }, () => 1);
// @ts-expect-error: a group has no result
pipeline.task("x", { inputs: { rows: "checks" } }, () => 1);
// @ts-expect-error: a number is nothing to map over
pipeline.task("x", { forEach: { row: "count" } }, () => 1);
// @ts-expect-error: a boolean is no factor
pipeline.task("x", { retryExponentialBackoff: true }, () => 1);
// @ts-expect-error: no such rule
pipeline.task("x", { triggerRule: "all_good" }, () => 1);
// @ts-expect-error: no such option
pipeline.task("x", { retry: 3 }, () => 1);
// @ts-expect-error: an XCom holds no function
pipeline.task("x", {}, () => () => 1);
// @ts-expect-error: not one of its choices
pipeline.branch("b", { choices: ["small"] }, () => "large");
// @ts-expect-error: a branch is not mapped
pipeline.branch("b", { forEach: { row: "extract" } }, () => "large");
// @ts-expect-error: the default is one of the values
param("asia", { enum: ["eu", "us"] });
// @ts-expect-error: a schedule is no number
dag("d", { schedule: 5 });
// @ts-expect-error: a group returns what was declared in it
pipeline.group("g", () => 5);

// Ids that are only known when the program runs.
let many: DynamicDag = dag("many");
for (const id of ["a", "b"]) many = many.task(id, { after: [] }, () => 1);
many = many
  .task("each", { forEach: { a: "a" } }, ({ inputs }) => inputs.a)
  .task("end", { inputs: { a: "whatever" } }, ({ inputs }) => {
    // @ts-expect-error: it may be anything
    const a: string = inputs.a;
    return a;
  });

serve(pipeline);
serve([pipeline, many], { exitHolder: false });
new Bundle().add(pipeline).task("d", "t", () => 1);
