import type { DagDescription, OperatorDescription } from "@parlance/retry";

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const op: OperatorDescription = { className: "Op", modulePath: "__main__" };

/** The Dags of the recorder, field by field as its Python file defines them. */
export const demoDags: readonly DagDescription[] = [
  {
    dagId: "retry_backoff_demo",
    startDate: "2025-01-01T00:00:00Z",
    tasks: [
      {
        taskId: "standard_backoff",
        operator: op,
        retryExponentialBackoff: 2.0,
        retryDelayUs: MINUTE,
        retries: 3,
        downstreamTaskIds: ["aggressive_backoff"],
      },
      {
        taskId: "aggressive_backoff",
        operator: op,
        retryExponentialBackoff: 5.0,
        retries: 4,
        retryDelayUs: MINUTE + 250,
        executionTimeoutUs: 26 * HOUR,
      },
      { taskId: "fixed_delay", operator: op, retryExponentialBackoff: 0 },
      {
        taskId: "legacy_true",
        operator: op,
        retryExponentialBackoff: true,
        endDate: "2030-01-01T00:00:00Z",
      },
      { taskId: "legacy_false", operator: op, retryExponentialBackoff: false },
      { taskId: "unset", operator: op },
      {
        taskId: "fraction",
        operator: op,
        retryExponentialBackoff: 1.5,
        docMd: "notes",
        params: { p: { value: 3 } },
      },
      { taskId: "mapped_true", operator: op, isMapped: true, retryExponentialBackoff: true },
      { taskId: "mapped_unset", operator: op, isMapped: true },
      {
        taskId: "mapped_custom",
        operator: op,
        isMapped: true,
        retryExponentialBackoff: 3.5,
        retryDelayUs: 7.5 * SECOND,
      },
      { taskId: "negative", operator: op, retryExponentialBackoff: -2 },
    ],
  },
  {
    dagId: "odd",
    startDate: new Date(Date.UTC(2025, 0, 1)),
    tasks: [
      { taskId: "nan", operator: op, retryExponentialBackoff: Number.NaN },
      { taskId: "inf", operator: op, retryExponentialBackoff: Number.POSITIVE_INFINITY },
      { taskId: "neg_delay", operator: op, retryDelayUs: -5 * SECOND },
    ],
  },
  {
    dagId: "weights",
    startDate: "2025-01-01T00:00:00Z",
    tasks: [
      { taskId: "w1", operator: op, weightRule: "absolute" },
      { taskId: "w2", operator: op, weightRule: "upstream" },
    ],
  },
  {
    dagId: "mapped_bad",
    startDate: "2025-01-01T00:00:00Z",
    tasks: [{ taskId: "m", operator: op, isMapped: true, retryExponentialBackoff: "abc" }],
  },
];
