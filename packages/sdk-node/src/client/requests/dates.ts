import { Timestamp } from "@parlance/framing";
import { InvalidRequestError } from "../../errors.ts";
import type { Exact, Moment } from "../api/dates.ts";

/** The wire's form of a moment. @throws InvalidRequestError `invalid-request` */
export function toTimestamp(moment: Moment, what: string): Timestamp {
  if (moment instanceof Timestamp) return moment;
  if (moment instanceof Date && !Number.isNaN(moment.getTime())) return Timestamp.fromDate(moment);
  const got = moment instanceof Date ? "an invalid Date" : `a value of type ${typeof moment}`;
  const message = `${what} is ${got}, expected a Date or a Timestamp`;
  throw new InvalidRequestError("invalid-request", "", message);
}

/** As {@link toTimestamp}; null and undefined are none. */
export function toTimestampOrNull(
  moment: Moment | null | undefined,
  what: string,
): Timestamp | null {
  return moment === null || moment === undefined ? null : toTimestamp(moment, what);
}

type Dates<Name extends string> = { readonly [name in Name]: Date | null } & {
  readonly exact: Exact<Name>;
};

/** Dates as the public API has them: each as `Date`, and all of them under `exact`. */
export function withExact<Name extends string>(exact: Exact<Name>): Dates<Name> {
  const dates = Object.entries<Timestamp | null>(exact).map(([name, date]) => [
    name,
    date?.toDate() ?? null,
  ]);
  return { ...(Object.fromEntries(dates) as { readonly [name in Name]: Date | null }), exact };
}
