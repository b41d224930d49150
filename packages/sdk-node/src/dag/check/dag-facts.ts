import { RegistrationError } from "../../errors.ts";
import type { DagFacts } from "../build/draft.ts";
import { checkDagId } from "./ids.ts";
import { readParamModels } from "./params.ts";
import { checkOptions, refuse } from "./refuse.ts";
import { readSchedule } from "./schedule.ts";
import { readDefaults } from "./settings.ts";

const OPTIONS: readonly string[] = [
  ...["schedule", "startDate", "endDate", "timezone", "catchup", "tags", "displayName"],
  ...["description", "doc", "params", "maxActiveRuns", "maxActiveTasks"],
  ...["maxConsecutiveFailedRuns", "dagrunTimeoutMs", "failFast", "isPausedUponCreation"],
  ...["ownerLinks", "taskDefaults"],
];
const MAX_TAG = 100;
const MAX_DURATION_MS = 1000 * 366 * 86_400_000;

/** Reads what `dag()` is called with. @throws RegistrationError `bad-id` or `bad-option` */
export function readDagFacts(id: unknown, given: unknown): DagFacts {
  const dagId = checkDagId(id);
  const where = `dag(${JSON.stringify(dagId)}, …)`;
  const options = checkOptions(where, given, OPTIONS);
  const text = (name: string) => optional(where, name, options[name], isText, "text");
  const flag = (name: string) => optional(where, name, options[name], isFlag, "true or false");
  const count = (name: string, min: number) => {
    const isCount = (value: unknown): value is number =>
      Number.isSafeInteger(value) && (value as number) >= min;
    return optional(where, name, options[name], isCount, `a whole number from ${min}`);
  };
  const schedule = readSchedule(where, options["schedule"]);
  const params = readParamModels(where, options["params"]);
  const startDate = optional(where, "startDate", options["startDate"], isDate, "a valid Date");
  const endDate = optional(where, "endDate", options["endDate"], isDate, "a valid Date");
  if (startDate !== null && endDate !== null && endDate < startDate) {
    refuse(where, "endDate", endDate, "one that is not before startDate");
  }
  const facts: DagFacts = {
    dagId,
    displayName: text("displayName"),
    description: text("description"),
    doc: text("doc"),
    schedule,
    startDate,
    endDate,
    timezone: readZone(where, options["timezone"]),
    catchup: flag("catchup"),
    tags: readTags(where, options["tags"]),
    params,
    maxActiveTasks: count("maxActiveTasks", 1),
    // Airflow has one run at a time then, and refuses a Dag whose limit, 16 by default, is above that.
    maxActiveRuns: count("maxActiveRuns", 1) ?? (schedule.kind === "continuous" ? 1 : null),
    maxConsecutiveFailedRuns: count("maxConsecutiveFailedRuns", 0),
    dagrunTimeoutMs: optional(
      where,
      "dagrunTimeoutMs",
      options["dagrunTimeoutMs"],
      isPeriod,
      PERIOD,
    ),
    failFast: flag("failFast") ?? false,
    isPausedUponCreation: flag("isPausedUponCreation"),
    ownerLinks: readLinks(where, options["ownerLinks"]),
    taskDefaults: readDefaults(where, options["taskDefaults"]),
  };
  checkTogether(where, facts);
  return facts;
}

/** What Airflow would refuse only when it reads the Dag. */
function checkTogether(where: string, facts: DagFacts): void {
  const { schedule, params, maxActiveRuns, catchup, startDate, failFast, taskDefaults } = facts;
  const without = params.find((param) => param.default === null);
  if (without !== undefined && schedule.kind !== "none") {
    const message = `${where}: the param ${JSON.stringify(without.name)} has no default, so no run can be started by a schedule; give it one, or leave schedule out`;
    throw new RegistrationError("bad-option", message);
  }
  if (schedule.kind === "continuous" && (maxActiveRuns ?? 1) > 1) {
    refuse(where, "maxActiveRuns", maxActiveRuns, "1 where schedule is @continuous");
  }
  if (catchup === true && startDate === null && schedule.kind !== "none") {
    refuse(where, "startDate", undefined, "a Date to catch up from, since catchup is true");
  }
  if (failFast && (taskDefaults.triggerRule ?? "all_success") !== "all_success") {
    refuse(
      where,
      "taskDefaults.triggerRule",
      taskDefaults.triggerRule,
      "all_success with failFast",
    );
  }
}

function readZone(where: string, zone: unknown): string {
  if (zone === undefined) return "UTC";
  const expected = "a name of an IANA zone such as Europe/Berlin";
  if (typeof zone !== "string" || /^[+-]/.test(zone)) refuse(where, "timezone", zone, expected);
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone;
  } catch {
    return refuse(where, "timezone", zone, expected);
  }
}

function readTags(where: string, tags: unknown): readonly string[] {
  if (tags === undefined) return [];
  if (!Array.isArray(tags)) refuse(where, "tags", tags, "a list of texts");
  for (const tag of tags as readonly unknown[]) {
    if (!isText(tag) || tag === "" || tag.length > MAX_TAG) {
      refuse(where, "one of tags", tag, `text of 1 to ${MAX_TAG} characters`);
    }
  }
  return [...new Set(tags as readonly string[])].sort();
}

function readLinks(where: string, links: unknown): { readonly [owner: string]: string } {
  if (links === undefined) return {};
  if (typeof links !== "object" || links === null || Array.isArray(links)) {
    refuse(where, "ownerLinks", links, "links by the owner's name");
  }
  for (const [owner, link] of Object.entries(links)) {
    const isLink = isText(link) && /^(?:https?:\/\/[^/]+|mailto:.+@.+)/i.test(link);
    if (!isLink) refuse(where, `ownerLinks.${owner}`, link, "a URL or a mailto: address");
  }
  return { ...links } as { readonly [owner: string]: string };
}

function optional<Value>(
  where: string,
  name: string,
  value: unknown,
  isRight: (value: unknown) => value is Value,
  expected: string,
): Value | null {
  if (value === undefined || value === null) return null;
  return isRight(value) ? value : refuse(where, name, value, expected);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isFlag(value: unknown): value is boolean {
  return typeof value === "boolean";
}

function isDate(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime());
}

const PERIOD = "milliseconds above 0, up to a thousand years";

function isPeriod(value: unknown): value is number {
  return typeof value === "number" && value > 0 && value <= MAX_DURATION_MS;
}
