import { call, named, type Py } from "../python/expression.ts";
import { textLiteral } from "../python/text-literal.ts";
import { assetCondition } from "./assets.ts";
import { zoneLiteral } from "./instant.ts";
import { encodedOf, isMap, type JsonMap, listOf, mapOf, textsOf } from "./json.ts";
import { UnwritableError } from "./unwritable-error.ts";
import { duration } from "./value.ts";

const PRESETS: ReadonlyMap<string, string> = new Map([
  ["0 * * * *", "@hourly"],
  ["0 0 * * *", "@daily"],
  ["0 0 * * 0", "@weekly"],
  ["0 0 1 * *", "@monthly"],
  ["0 0 1 */3 *", "@quarterly"],
  ["0 0 1 1 *", "@yearly"],
]);

/**
 * A timetable as what `schedule=` takes.
 *
 * @param dagZone - the zone that Airflow reads a bare cron text of this Dag in; undefined where that
 * is a matter of its configuration
 * @throws UnwritableError
 */
export function schedule(timetable: unknown, dagZone: unknown): Py {
  const [name, of] = namedTimetable(timetable);
  switch (name) {
    case "NullTimetable":
      return "None";
    case "OnceTimetable":
      return '"@once"';
    case "ContinuousTimetable":
      return '"@continuous"';
    case "AssetTriggeredTimetable":
      return assets(of["asset_condition"]);
    case "CronTriggerTimetable":
      if (isPlainCron(of) && dagZone !== undefined && of["timezone"] === dagZone) return cronOf(of);
      break;
    case "DeltaTriggerTimetable":
      if (isZero(of["interval"])) return delta(of["delta"]);
      break;
    default:
  }
  return inFull(timetable);
}

function namedTimetable(timetable: unknown): readonly [string, JsonMap] {
  const { __type: type, __var: inner } = mapOf(timetable);
  return [String(type).replace(/^airflow\.timetables\.\w+\./, ""), mapOf(inner)];
}

/** As an object of Airflow's own classes. */
function inFull(timetable: unknown): Py {
  const [name, of] = namedTimetable(timetable);
  switch (name) {
    case "AssetOrTimeSchedule":
      return call(
        name,
        ["timetable", inFull(of["timetable"])],
        ["assets", assets(of["asset_condition"])],
      );
    case "CronTriggerTimetable":
      return call(name, cronOf(of), ...cronOptions(of));
    case "MultipleCronTriggerTimetable":
      return call(name, ...textsOf(of["expressions"]).map(cron), ...cronOptions(of));
    case "CronDataIntervalTimetable":
      return call(name, cronOf(of), ["timezone", zoneLiteral(of["timezone"])]);
    case "DeltaTriggerTimetable":
      return deltaTrigger(of);
    case "DeltaDataIntervalTimetable":
      return call(name, delta(of["delta"]));
    default:
      throw new UnwritableError(
        `the timetable ${JSON.stringify(mapOf(timetable)["__type"])}; what can be written is a cron text, a duration, ` +
          "@once, @continuous, assets, and Airflow's own timetables of these",
      );
  }
}

function deltaTrigger(of: JsonMap): Py {
  const interval = isZero(of["interval"]) ? undefined : delta(of["interval"]);
  return call("DeltaTriggerTimetable", delta(of["delta"]), ...named([["interval", interval]]));
}

function assets(condition: unknown): Py {
  const { __type: type, objects } = mapOf(condition);
  const py = assetCondition(condition);
  // As people write it: assets that all have to be updated are a list.
  const isList = type === "asset_all" && listOf(objects).every((each) => !isNested(each));
  return isList && listOf(objects).length > 0 ? { list: listOf(objects).map(assetCondition) } : py;
}

function isNested(condition: unknown): boolean {
  return isMap(condition) && Array.isArray(condition["objects"]);
}

function isPlainCron(of: JsonMap): boolean {
  return isZero(of["interval"]) && of["run_immediately"] !== true && !isDuration(of);
}

function cronOptions(of: JsonMap): readonly (readonly [string, Py])[] {
  const { timezone, interval, run_immediately: at } = of;
  const immediately = isDuration(of) ? duration(at) : at === true ? "True" : undefined;
  return named([
    ["timezone", zoneLiteral(timezone)],
    ["interval", isZero(interval) ? undefined : delta(interval)],
    ["run_immediately", immediately],
  ]) as readonly (readonly [string, Py])[];
}

function isDuration({ run_immediately: at }: JsonMap): boolean {
  return typeof at === "number" || encodedOf(at)?.type === "timedelta";
}

function cronOf(of: JsonMap): Py {
  if (typeof of["expression"] !== "string")
    throw new UnwritableError("a cron timetable without a text");
  return cron(of["expression"]);
}

function cron(expression: string): Py {
  return textLiteral(PRESETS.get(expression) ?? expression);
}

function delta(value: unknown): Py {
  if (isMap(value) && encodedOf(value) === null) {
    throw new UnwritableError("a schedule of calendar units (relativedelta)");
  }
  return duration(value);
}

function isZero(value: unknown): boolean {
  return value === undefined || value === null || value === 0 || encodedOf(value)?.var === 0;
}
