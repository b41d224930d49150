import { checkCondition } from "./check-encoded.ts";
import {
  below,
  type Check,
  isDeep,
  isRecord,
  kindOf,
  number,
  record,
  type Tell,
  text,
  zone,
} from "./problems.ts";

/** What is to know of one of Airflow's own timetables. */
interface TimetableFacts {
  /** What its data must have. */
  readonly required: readonly string[];
  /** No more runs at a time than that. */
  readonly activeRunsLimit?: number;
  /** Never runs by the clock or an asset: `catchup` means nothing then. */
  readonly isUnscheduled?: true;
}

/** How Python's `relativedelta` stands in a document. */
const relative: Check = (value, path, tell) => {
  record(value, path, tell);
  for (const [name, amount] of Object.entries(isRecord(value) ? value : {})) {
    if (name === "weekday") continue;
    if (!PARTS.includes(name)) tell(path, `has the key ${JSON.stringify(name)}, which is unknown`);
    else number(amount, below(path, name), tell);
  }
};
const PARTS = "years months weeks days hours minutes seconds microseconds leapdays".split(" ");

/** Seconds, or what of a calendar to add. */
const interval: Check = (value, path, tell) => {
  if (isDeep(value)) relative(value, path, tell);
  else if (typeof value !== "boolean") number(value, path, tell);
};

/** How the data of a timetable has to be; a cron text is not looked at, nor does Airflow. */
const DATA: { readonly [name: string]: Check } = {
  delta: interval,
  interval,
  timezone: (value, path, tell) => {
    if (typeof value !== "boolean") zone(value, path, tell); // a number to Python
  },
  expression: text,
};

const CRON = ["expression", "timezone"];

// Those of Airflow 3.4.0b2 that the SDK may name. One of a plug-in is known to Airflow alone.
const TIMETABLES: { readonly [path: string]: TimetableFacts } = {
  "airflow.timetables.simple.NullTimetable": { required: [], isUnscheduled: true },
  "airflow.timetables.simple.OnceTimetable": { required: [] },
  "airflow.timetables.simple.ContinuousTimetable": { required: [], activeRunsLimit: 1 },
  "airflow.timetables.simple.AssetTriggeredTimetable": { required: ["asset_condition"] },
  "airflow.timetables.assets.AssetOrTimeSchedule": { required: ["asset_condition", "timetable"] },
  "airflow.timetables.trigger.CronTriggerTimetable": { required: [...CRON, "interval"] },
  "airflow.timetables.trigger.DeltaTriggerTimetable": { required: ["delta", "interval"] },
  "airflow.timetables.trigger.MultipleCronTriggerTimetable": {
    required: ["expressions", "timezone", "interval", "run_immediately"],
  },
  "airflow.timetables.interval.CronDataIntervalTimetable": { required: CRON },
  "airflow.timetables.interval.DeltaDataIntervalTimetable": { required: ["delta"] },
};

/** What is known of the timetable of a Dag. */
export function timetableFacts(timetable: unknown): TimetableFacts | undefined {
  const name = isRecord(timetable) ? timetable["__type"] : undefined;
  return typeof name === "string" && Object.hasOwn(TIMETABLES, name) ? TIMETABLES[name] : undefined;
}

/** `{"__type": class, "__var": its data}`. */
export const checkTimetable: Check = (value, path, tell) => {
  if (!isRecord(value) || typeof value["__type"] !== "string" || !Object.hasOwn(value, "__var")) {
    tell(path, `is ${kindOf(value)}, expected {"__type": class, "__var": {…}}`);
    return;
  }
  const facts = timetableFacts(value);
  if (facts === undefined) {
    tell(path, `names ${JSON.stringify(value["__type"])}, which is none of Airflow's timetables`);
    return;
  }
  const data = value["__var"];
  if (facts.required.length > 0 && !isRecord(data)) record(data, below(path, "__var"), tell);
  else checkData(isRecord(data) ? data : {}, facts, below(path, "__var"), tell);
};

function checkData(
  data: { readonly [key: string]: unknown },
  { required }: TimetableFacts,
  path: string,
  tell: Tell,
): void {
  for (const name of required) {
    if (!Object.hasOwn(data, name)) tell(path, `has no ${JSON.stringify(name)}`);
  }
  for (const [name, value] of Object.entries(data)) {
    if (required.includes(name)) DATA[name]?.(value, below(path, name), tell);
  }
  if (required.includes("asset_condition")) {
    checkCondition(data["asset_condition"], below(path, "asset_condition"), tell);
  }
  if (required.includes("timetable")) {
    checkTimetable(data["timetable"], below(path, "timetable"), tell);
  }
}
