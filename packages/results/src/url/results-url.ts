/** A database by its URL. MariaDB is only told from MySQL by the server. */
export type Dialect = "sqlite" | "postgresql" | "mysql";

/** A result URL, read. Printing it (`String`, JSON, `inspect`) gives the masked text. */
export interface ResultsUrl {
  readonly dialect: Dialect;
  /** The Python driver that was named (`psycopg2`); it changes nothing here. */
  readonly driver: string | undefined;
  readonly user: string | undefined;
  /** Not enumerable. */
  readonly password: string | undefined;
  readonly host: string | undefined;
  readonly port: number | undefined;
  /** The database's name, or SQLite's file; undefined for an in-memory one. */
  readonly database: string | undefined;
  /** The query's parameters in order of arrival. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
  /** As given, with `**` in place of the password and of secret parameters. */
  readonly masked: string;
}
