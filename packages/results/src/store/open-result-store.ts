import { openDatabase } from "../database/open-database.ts";
import type { DatabaseOptions } from "../database/options.ts";
import { ResultsError } from "../errors.ts";
import { createSerializer } from "../serializers/serializer.ts";
import type { ValueOptions } from "../serializers/value-options.ts";
import { dateRule } from "./date-rule.ts";
import type { DateOptions, StoreOptions } from "./options.ts";
import { ResultStore } from "./result-store.ts";
import { systemClock } from "./system-clock.ts";

/** Where the store is, what it writes, and how its values are read; every option has a default. */
export interface ResultStoreOptions extends DatabaseOptions, StoreOptions, ValueOptions {}

/**
 * Opens Celery's result tables.
 *
 * @param url as in Celery: `db+sqlite:///results.sqlite`, `db+postgresql://user:password@host/name`,
 *   `db+mysql://…`, `db+mariadb://…`, or the same without `db+`
 * @throws ResultsError with the codes of opening, see {@link ResultsErrorCode}
 * @throws SerializerError `unknown-serializer`
 */
export async function openResultStore(
  url: string | undefined,
  options: ResultStoreOptions = {},
): Promise<ResultStore> {
  const { extended = false, nulReplacement = "\uFFFD", resultExpiresSeconds = 86_400 } = options;
  const serializer = await createSerializer(options.serializer ?? "json", options);
  requireZone(options);
  if (nulReplacement.includes("\0")) {
    throw badOption("nulReplacement", "text without U+0000");
  }
  if (!(resultExpiresSeconds >= 0)) {
    throw badOption("resultExpiresSeconds", "a number of seconds, 0 or more");
  }
  const database = await openDatabase(url, options);
  return new ResultStore({
    database,
    serializer,
    values: options,
    dates: dateRule(options, database.dialect),
    extended,
    nulReplacement,
    resultExpiresSeconds,
    clock: options.clock ?? systemClock,
  });
}

function requireZone(options: DateOptions): void {
  if (options.dates !== undefined && options.dates !== "utc" && options.dates !== "celery") {
    throw badOption("dates", '"utc" or "celery"');
  }
  if (options.dates === "utc" && (options.timezone !== undefined || options.enableUtc === false)) {
    throw badOption("dates", 'no timezone and no enableUtc: false beside "utc"');
  }
  try {
    dateRule(options, "sqlite");
  } catch (error) {
    throw badOption("timezone", "an IANA zone such as Europe/Berlin", error);
  }
}

function badOption(field: string, expected: string, cause?: unknown): ResultsError {
  return new ResultsError("bad-option", `openResultStore: option ${field} has to be ${expected}.`, {
    cause,
    facts: { field },
  });
}
