/** What a Dag file may need, by module, as import sorters order it. */
export const IMPORTS: {
  readonly standard: readonly string[];
  readonly airflow: readonly string[];
} = {
  standard: ["timedelta"],
  airflow: [
    "DAG",
    "Asset",
    "AssetAlias",
    "AssetAll",
    "AssetAny",
    "AssetOrTimeSchedule",
    "CronDataIntervalTimetable",
    "CronTriggerTimetable",
    "DeltaDataIntervalTimetable",
    "DeltaTriggerTimetable",
    "Label",
    "MultipleCronTriggerTimetable",
    "Param",
    "TaskGroup",
    "task",
  ],
};

/** Names that no function or variable of a Dag file may have. */
export const TAKEN: readonly string[] = [
  ...IMPORTS.standard,
  ...IMPORTS.airflow,
  "airflow",
  "dag",
  "pendulum",
  "datetime",
  "float",
  "set",
  "QUEUE",
];
