import type { Timestamp } from "@parlance/framing";

/** A moment to send: a `Date`, or a `Timestamp` where milliseconds are not enough. */
export type Moment = Date | Timestamp;

/** The same dates as Airflow sent them, with all their digits. */
export type Exact<Dates extends string> = { readonly [name in Dates]: Timestamp | null };
