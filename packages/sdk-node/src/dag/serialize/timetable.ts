import type { DagModel } from "../dag-model.ts";
import { encodeCondition, isOfSeveral } from "./assets.ts";
import { type Encoded, seconds } from "./encode.ts";

/**
 * The timetable that Airflow 3 makes of a `schedule` by default: a run at the moment that a cron text
 * names, without a data interval. (`[scheduler] create_cron_data_intervals` makes others of the same
 * schedule; a runtime is not told.)
 */
export function encodeTimetable({ schedule, timezone }: DagModel): Encoded {
  switch (schedule.kind) {
    case "none":
      return timetable("simple.NullTimetable", {});
    case "once":
      return timetable("simple.OnceTimetable", {});
    case "continuous":
      return timetable("simple.ContinuousTimetable", {});
    case "every":
      return timetable("trigger.DeltaTriggerTimetable", {
        delta: seconds(schedule.everyMs),
        interval: 0,
      });
    case "cron":
      return timetable("trigger.CronTriggerTimetable", {
        expression: schedule.expression,
        timezone,
        interval: 0,
        run_immediately: false,
      });
    case "assets":
      return timetable("simple.AssetTriggeredTimetable", {
        asset_condition: encodeCondition(schedule.condition),
        // In Python, Airflow refuses to take events one by one where several are needed.
        batch_asset_events: isOfSeveral(schedule.condition),
      });
  }
}

function timetable(name: string, data: { readonly [field: string]: Encoded }): Encoded {
  return { __type: `airflow.timetables.${name}`, __var: data };
}
