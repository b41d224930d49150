import { ResultsError } from "../errors.ts";
import { TASK_COLUMNS } from "../schema/tables.ts";
import { kindOf } from "./kind-of.ts";

/**
 * Names that Celery would write over a column or a key of the meta: a stamp `result` breaks its
 * store, a stamp `status` replaces the task's state.
 */
const TAKEN: ReadonlySet<string> = new Set<string>([
  ...TASK_COLUMNS,
  "stamped_headers",
  "group_id",
  "parent_id",
]);

/** The value of the `stamps` column. */
export interface StampsValue {
  readonly stamped_headers: readonly string[];
  readonly stamps: Readonly<Record<string, unknown>>;
}

/**
 * The stamps that are listed, in the order of the list; `null` where nothing is listed.
 *
 * @throws ResultsError `stamp-name` for a name that would overwrite a column, `bad-value` for another shape
 */
export function checkStamps(
  stamps: Readonly<Record<string, unknown>> | null | undefined,
  listed: readonly string[] | undefined,
): StampsValue | null {
  const given = stamps ?? {};
  if (typeof given !== "object" || Array.isArray(given)) {
    throw refuse("bad-value", "stamps", `stamps is ${kindOf(given)}; expected an object by name.`);
  }
  const names = listed ?? Object.keys(given);
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) {
    throw refuse("bad-value", "stampedHeaders", "stampedHeaders is no list of names.");
  }
  if (names.length === 0) return null;
  const entries: [string, unknown][] = [];
  for (const name of names) {
    if (TAKEN.has(name)) {
      throw refuse(
        "stamp-name",
        name,
        `a stamp is called ${JSON.stringify(name)}, which Celery would write over the column of that name; rename it.`,
      );
    }
    if (Object.hasOwn(given, name)) entries.push([name, given[name]]);
  }
  return { stamped_headers: [...names], stamps: Object.fromEntries(entries) };
}

function refuse(code: "bad-value" | "stamp-name", field: string, why: string): ResultsError {
  return new ResultsError(code, `store: ${why}`, { facts: { operation: "store", field } });
}
