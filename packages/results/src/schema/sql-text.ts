import type { Dialect } from "../url/results-url.ts";

/** How statements are written for one dialect and one pair of tables. */
export interface SqlText {
  readonly dialect: Dialect;
  /** The table's name, quoted and with its schema: `"celery"."celery_taskmeta"`. */
  readonly task: string;
  readonly group: string;
  /** A name in the dialect's quotes. */
  quote(name: string): string;
  /** The n-th placeholder, from 1: `$1` or `?`. */
  parameter(n: number): string;
  /** A text column in a SELECT list; read what comes with `readText`. */
  text(column: string): string;
  /** ` FOR UPDATE`, or nothing on SQLite (whose transactions are exclusive already). */
  readonly forUpdate: string;
}
