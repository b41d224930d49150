// How the task instances of two Dags end, each with its tries: first seen on a whole Airflow 3.4.0b2
// (native-stack.test.ts), and the same under `parlance run` (native-here.test.ts).

/** `orders_pipeline` of examples/native-dag, for the region "apac". */
export const EXAMPLE_STATES: readonly string[] = [
  "checks.amounts success 1",
  "checks.ids success 1",
  "choose success 1",
  "customers success 1",
  "extract success 2",
  "finish success 1",
  "invoice[0] success 1",
  "invoice[1] success 1",
  "is_large success 1",
  "nothing_to_do skipped 0",
  "publish success 1",
  "tell_sales skipped 0",
];

/** `native_rules` of fixtures/native.ts. */
export const RULES_STATES: readonly string[] = [
  ...["again[0]", "again[1]"].map((task) => `${task} success 1`),
  "behind_all success 1",
  "behind_failure success 1",
  "behind_gate skipped 0",
  "behind_none skipped 0",
  "behind_skips skipped 0",
  "beyond_gate success 1",
  ...["doubled[0]", "doubled[1]"].map((task) => `${task} success 1`),
  "fails failed 1",
  "gate success 1",
  "none success 1",
  "numbers success 1",
  "over_none skipped 0",
  "skips skipped 1",
  "sum success 1",
  "upstream_failed upstream_failed 0",
];
