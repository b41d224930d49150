import { RegistrationError } from "../../errors.ts";
import { AssetExpression } from "../assets/asset.ts";
import type { CronPreset, ScheduleModel } from "../dag-model.ts";
import { findCronProblem } from "./cron.ts";
import { refuse } from "./refuse.ts";

/** What Airflow's names stand for. */
const PRESETS: { readonly [Name in CronPreset]: string } = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
  "@quarterly": "0 0 1 */3 *",
  "@yearly": "0 0 1 1 *",
};

const EXPECTED =
  'a cron text such as "0 5 * * *", a preset such as "@daily", { everyMs }, assets or null';
const MAX_PERIOD_MS = 1000 * 366 * 86_400_000;

/** Reads the option `schedule`. @throws RegistrationError `bad-option` */
export function readSchedule(where: string, given: unknown): ScheduleModel {
  if (given === undefined || given === null) return { kind: "none" };
  if (typeof given === "string") return readText(where, given);
  if (given instanceof AssetExpression) return { kind: "assets", condition: given.condition };
  if (Array.isArray(given)) {
    if (given.length === 0) refuse(where, "schedule", given, EXPECTED);
    const of = given.map((each: unknown) => {
      if (!(each instanceof AssetExpression)) refuse(where, "one of schedule", each, "asset(…)");
      return each.condition;
    });
    const [only] = of;
    return { kind: "assets", condition: of.length === 1 && only ? only : { kind: "all", of } };
  }
  const everyMs: unknown = typeof given === "object" ? Object.entries(given)[0]?.[1] : undefined;
  const isPeriod = typeof given === "object" && Object.keys(given).join() === "everyMs";
  if (!isPeriod) refuse(where, "schedule", given, EXPECTED);
  if (typeof everyMs !== "number" || !(everyMs > 0 && everyMs <= MAX_PERIOD_MS)) {
    refuse(where, "schedule.everyMs", everyMs, "milliseconds above 0, up to a thousand years");
  }
  return { kind: "every", everyMs };
}

function readText(where: string, text: string): ScheduleModel {
  if (text === "@once") return { kind: "once" };
  if (text === "@continuous") return { kind: "continuous" };
  if (Object.hasOwn(PRESETS, text)) {
    const preset = text as CronPreset;
    return { kind: "cron", expression: PRESETS[preset], preset };
  }
  const names = [...Object.keys(PRESETS), "@once", "@continuous"].join(", ");
  const problem = text.startsWith("@") ? `is no preset; there are ${names}` : findCronProblem(text);
  if (problem !== undefined) {
    throw new RegistrationError(
      "bad-option",
      `${where}: schedule ${JSON.stringify(text)} ${problem}`,
    );
  }
  return { kind: "cron", expression: text.trim().split(/\s+/).join(" "), preset: null };
}
