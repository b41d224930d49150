import type { DagDescription, OperatorDescription } from "@parlance/retry";

const DAY_US = 86_400_000_000;
const op: OperatorDescription = { className: "Op", modulePath: "odd_dags" };

const odd: DagDescription = {
  dagId: "odd_values",
  startDate: "2025-01-01T00:00:00Z",
  endDate: "2035-01-01T00:00:00Z",
  params: { shared: { value: "v", schema: { type: "string" } }, z: { value: 9 } },
  defaultArgs: {
    retries: 4,
    owner: "team",
    retryDelayUs: 3 * DAY_US,
    retryExponentialBackoff: true,
    executionTimeoutUs: 1,
  },
  tasks: [
    {
      taskId: "dates",
      operator: op,
      startDate: "2024-01-01T00:00:00Z",
      endDate: "2030-05-06T07:08:09.5-05:00",
      downstreamTaskIds: ["later", "é"],
    },
    {
      taskId: "later",
      operator: op,
      startDate: "2026-01-01T00:00:00.000007Z",
      endDate: "2040-01-01T00:00:00Z",
    },
    {
      taskId: "mapped",
      displayName: "Shown ü\u2028",
      operator: op,
      isMapped: true,
      owner: "me",
      docMd: "*d*",
      retryExponentialBackoff: " 3_0.5 ",
      priorityWeight: -(2 ** 40),
      params: {
        a: { value: 1, schema: { type: "integer", minimum: 0 }, description: "x" },
        z: { value: 2 },
      },
    },
    {
      taskId: "group.inner",
      displayName: "In \u{1f600}",
      operator: op,
      docMd: "\n   indented\n",
      weightRule: "upstream",
      priorityWeight: 2 ** 40,
      poolSlots: 3,
      queue: "q",
      pool: "p",
      triggerRule: "one_failed",
      dependsOnPast: true,
      waitForDownstream: true,
      owner: "",
      retryExponentialBackoff: -0,
      retryDelayUs: -1,
    },
    {
      taskId: "bash",
      operator: {
        className: "BashOperator",
        modulePath: "airflow.providers.standard.operators.bash",
        uiColor: "#f0ede4",
        templateFields: ["bash_command", "env", "cwd"],
      },
      retries: 0,
      executionTimeoutUs: 400 * DAY_US + 5,
    },
    { taskId: "é", operator: op, retryDelayUs: 7_500_000 },
    { taskId: "Z", operator: op, retryDelayUs: -999_999_999n * BigInt(DAY_US) },
    { taskId: "ﬀ", operator: op, retryExponentialBackoff: false },
    {
      taskId: "decorated",
      operator: {
        className: "_PythonDecoratedOperator",
        modulePath: "airflow.providers.standard.decorators.python",
        name: "@task",
        uiColor: "#ffefeb",
        templateFields: ["templates_dict", "op_args", "op_kwargs"],
      },
      docMd: "doc string",
      retries: 2,
    },
  ],
};

/** The Dags of odd_dags.py, in our words. */
export const oddDags: readonly DagDescription[] = [
  odd,
  dagOf("numbers", [
    1e22,
    1e16,
    1e15,
    1e-7,
    1e-6,
    1.5e-5,
    123456789.125,
    0.1 + 0.2,
    5e-324,
    Number.MAX_VALUE,
    9999999999999998,
    -3,
  ]),
  dagOf("no_numbers", [
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
    Number.NEGATIVE_INFINITY,
    6,
  ]),
];

function dagOf(dagId: string, multipliers: readonly number[]): DagDescription {
  const tasks = multipliers.map((retryExponentialBackoff, at) => ({
    taskId: `n${at}`,
    operator: op,
    retryExponentialBackoff,
  }));
  return { dagId, tasks };
}
