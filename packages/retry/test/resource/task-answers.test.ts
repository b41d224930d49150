import {
  answerTaskRequest,
  type DagDescription,
  fromTimeDelta,
  readTaskResource,
  type TaskDescription,
  TaskResourceError,
  task,
  taskCollection,
  taskJson,
  toTimeDelta,
} from "@parlance/retry";
import { throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const dagOf = (...tasks: TaskDescription[]): DagDescription => ({ dagId: "d", tasks });
const shown = (description: TaskDescription, dag: Partial<DagDescription> = {}) => {
  const answer = task({ ...dagOf(description), ...dag }, description.taskId);
  if (answer.status !== 200) throw new Error("not found");
  return answer.body;
};
const idsOf = (dag: DagDescription, orderBy: string) => {
  const answer = taskCollection(dag, { orderBy });
  if (answer.status !== 200) throw new Error("refused");
  return answer.body.tasks.map(({ task_id }) => task_id);
};

test("default_args hold for every task that does not say otherwise", () => {
  const defaultArgs = { retries: 4, owner: "team", retryExponentialBackoff: true } as const;
  const body = shown({ taskId: "a", owner: "me", retries: undefined }, { defaultArgs });
  assert.equal([body.owner, body.retries, body.retry_exponential_backoff], ["me", 4, 2]);
});

test("the later start and the earlier end count, in UTC", () => {
  const dag = { startDate: "2025-01-01T00:00:00Z", endDate: "2035-01-01T00:00:00Z" };
  const early = {
    taskId: "a",
    startDate: "2024-01-01T00:00:00Z",
    endDate: "2030-05-06T07:08:09.5-05:00",
  };
  const late = {
    taskId: "a",
    startDate: "2026-01-01T00:00:00.000007Z",
    endDate: "2040-01-01T00:00Z",
  };
  const dates = (t: TaskDescription) => [shown(t, dag).start_date, shown(t, dag).end_date];
  assert.equal(dates(early), ["2025-01-01T00:00:00Z", "2030-05-06T12:08:09.500000Z"]);
  assert.equal(dates(late), ["2026-01-01T00:00:00.000007Z", "2035-01-01T00:00:00Z"]);
});

test("params of the Dag come first, one of the task takes the place of its namesake", () => {
  const params = { v: { value: "x", schema: { type: "string" } }, z: { value: 9 } };
  const body = shown({ taskId: "a", params: { a: { value: 1 }, z: { value: 2 } } }, { params });
  assert.is(
    JSON.stringify(Object.entries(body.params).map(([name, p]) => [name, p.value, p.source])),
    '[["v","x","dag"],["z",2,"task"],["a",1,"task"]]',
  );
});

test("a priority beyond 32 bits is the nearest one within, but not for a mapped task", () => {
  assert.is(shown({ taskId: "a", priorityWeight: 2 ** 40 }).priority_weight, 2 ** 31 - 1);
  assert.is(shown({ taskId: "a", priorityWeight: -(2 ** 40) }).priority_weight, -(2 ** 31));
  assert.is(
    shown({ taskId: "a", priorityWeight: -(2 ** 40), isMapped: true }).priority_weight,
    -(2 ** 40),
  );
});

test("text as a multiplier is read for mapped tasks as Python reads it", () => {
  const multiplierOf = (text: string) =>
    shown({ taskId: "a", isMapped: true, retryExponentialBackoff: text }).retry_exponential_backoff;
  assert.equal([" 3_0.5 ", "2.5", "1e2", "-.5"].map(multiplierOf), [30.5, 2.5, 100, -0.5]);
  assert.equal(["nan", "-Infinity", "abc", "", "0x10"].map(multiplierOf), [
    null,
    null,
    null,
    null,
    null,
  ]);
});

test("text is ordered by code point", () => {
  const dag = dagOf(
    ...["\u{1F600}", "\uFF5E", "é", "a", "B", "9", "10", "_x", "a\u0301"].map((taskId) => ({
      taskId,
    })),
  );
  assert.equal(idsOf(dag, "task_id"), [
    "10",
    "9",
    "B",
    "_x",
    "a",
    "a\u0301",
    "é",
    "\uFF5E",
    "\u{1F600}",
  ]);
});

test("with NaN the order is that of Python's comparisons", () => {
  const multipliers = [
    3,
    Number.NaN,
    1,
    2,
    Number.NaN,
    0.5,
    5,
    Number.POSITIVE_INFINITY,
    4,
    Number.NaN,
    -1,
    7,
    6,
  ];
  const dag = dagOf(
    ...multipliers.map((m, at) => ({ taskId: `o${at}`, retryExponentialBackoff: m })),
  );
  // What Python 3.11 makes of it: sorted(range(13), key=lambda i: (False, multipliers[i])), and reversed.
  assert.is(
    idsOf(dag, "retry_exponential_backoff").join(" "),
    "o0 o1 o10 o2 o3 o4 o5 o8 o6 o12 o7 o9 o11",
  );
  assert.is(
    idsOf(dag, "-retry_exponential_backoff").join(" "),
    "o1 o4 o7 o9 o11 o12 o6 o8 o0 o3 o2 o5 o10",
  );
});

test("an encoded path and an odd query", () => {
  const get = (target: string) =>
    answerTaskRequest({ method: "GET", target }, (id) =>
      id === "d é" ? { ...dagOf({ taskId: "é+&" }), dagId: id } : undefined,
    );
  assert.is(get("/api/v2/dags/d%20%C3%A9/tasks/%C3%A9+&")?.status, 200);
  assert.is(get("/api/v2/dags/d%20%C3%A9/tasks?order_by")?.status, 400);
  assert.is(get("/api/v2/dags/%FF/tasks")?.status, 404);
  for (const path of ["/api/v2/dags/d/tasks/", "/api/v2/dags/d/tasks/a%2Fb", "/api/v2/dags", "/"]) {
    assert.is(get(path), undefined, path);
  }
});

test("floats on the wire", () => {
  const numbers = [
    1e22, 1e16, 1e15, 1e-7, 1e-6, 1e-5, 0.1, 3, 0, -2, 1.5e16, 123456789.125, 5e-324,
  ];
  const texts = numbers.map(
    (n) =>
      /backoff":([^,]+),/.exec(taskJson(shown({ taskId: "a", retryExponentialBackoff: n })))?.[1],
  );
  // All of them seen on a real server.
  assert.is(
    texts.join(" "),
    "1e+22 1e+16 1000000000000000.0 1e-7 1e-6 0.00001 0.1 3.0 0.0 -2.0 1.5e+16 123456789.125 5e-324",
  );
});

test("retries of -0 are 0, and whole numbers of params keep their digits", () => {
  const params = { p: { value: { task_id: 1, retries: 2n ** 70n, at: new Date(0) } } };
  const { body } = task({ dagId: "d", tasks: [{ taskId: "t", retries: -0, params }] }, "t");
  const text = taskJson(body);
  assert.match(text, '"retries":0.0,');
  assert.match(
    text,
    '{"task_id":1,"retries":1180591620717411303424,"at":"1970-01-01T00:00:00.000Z"}',
  );
});

test("the numbers of params are left alone", () => {
  const text = taskJson(
    shown({ taskId: "a", params: { retries: { value: { retries: 3, task_id: 1 } } } }),
  );
  assert.match(text, '"params":{"retries":{"value":{"retries":3,"task_id":1},');
});

const DELAYS: readonly (readonly [bigint, readonly number[]])[] = [
  [0n, [0, 0, 0]],
  [-1n, [-1, 86_399, 999_999]],
  [-5_000_000n, [-1, 86_395, 0]],
  [-86_400_000_000n, [-1, 0, 0]],
  [93_600_000_001n, [1, 7200, 1]],
  [86_399_999_999_999_999_999n, [999_999_999, 86_399, 999_999]],
];

test("durations are kept in Python's normal form", () => {
  for (const [us, [days, seconds, microseconds]] of DELAYS) {
    const delta = toTimeDelta(us);
    assert.equal(delta, { __type: "TimeDelta", days, seconds, microseconds });
    assert.is(fromTimeDelta(delta), us);
  }
});

const BAD: readonly (readonly [string, string, () => unknown])[] = [
  ["bad-dag", "dag", () => taskCollection(null as never)],
  ["bad-dag", "dag.dagId", () => taskCollection({ tasks: [] } as never)],
  ["bad-dag", "dag.tasks", () => taskCollection({ dagId: "d" } as never)],
  ["bad-dag", "dag.tasks[0].taskId", () => taskCollection(dagOf({} as never))],
  ["bad-dag", "dag.tasks[1].taskId", () => taskCollection(dagOf({ taskId: "a" }, { taskId: "a" }))],
  [
    "bad-dag",
    "dag.tasks[0].downstreamTaskIds",
    () => task(dagOf({ taskId: "a", downstreamTaskIds: ["b"] }), "a"),
  ],
  ["bad-dag", "dag.tasks[0].retries", () => shown({ taskId: "a", retries: 2.5 })],
  ["bad-dag", "dag.tasks[0].retries", () => shown({ taskId: "a", retries: "3" as never })],
  ["bad-dag", "dag.tasks[0].poolSlots", () => shown({ taskId: "a", poolSlots: 0 })],
  ["bad-dag", "dag.tasks[0].retryDelayUs", () => shown({ taskId: "a", retryDelayUs: 1.5 })],
  [
    "bad-dag",
    "dag.tasks[0].startDate",
    () => shown({ taskId: "a", startDate: "2025-01-01T00:00:00" }),
  ],
  [
    "bad-dag",
    "dag.tasks[0].retryExponentialBackoff",
    () => shown({ taskId: "a", retryExponentialBackoff: "2" }),
  ],
  ["bad-dag", "dag.tasks[0].params.p", () => shown({ taskId: "a", params: { p: 3 as never } })],
  ["bad-options", "options.orderBy", () => taskCollection(dagOf(), { orderBy: 3 as never })],
  ["bad-resource", "task", () => readTaskResource([])],
  ["bad-resource", "task_id", () => readTaskResource({ detail: "Not authenticated" })],
  ["bad-resource", "retry_delay", () => readTaskResource({ task_id: "a", retry_delay: 300 })],
  [
    "bad-resource",
    "retry_delay.days",
    () =>
      readTaskResource({ task_id: "a", retry_delay: { days: "1", seconds: 0, microseconds: 0 } }),
  ],
  ["bad-resource", "retries", () => readTaskResource({ task_id: "a", retries: true })],
];

for (const [code, path, call] of BAD) {
  test(`refused: ${path}: ${String(call).slice(6, 70)}`, () => {
    const error = throws(call, code) as TaskResourceError;
    assert.instance(error, TaskResourceError);
    assert.equal([error.code, error.path, error.name], [code, path, "TaskResourceError"]);
  });
}

test("an answer of before 3.2 has a boolean, a list and a refusal are told as what they are", () => {
  assert.is(
    shown(readTaskResource({ task_id: "a", retry_exponential_backoff: true }))
      .retry_exponential_backoff,
    2,
  );
  assert.match(throws(() => readTaskResource({ detail: "Nope" })).message, "Nope");
  assert.match(throws(() => readTaskResource({ tasks: [] })).message, "a list");
});

test.run();
