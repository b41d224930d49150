import { inspect } from "node:util";
import { ResultsError } from "../errors.ts";
import { splitUrl, type UrlParts } from "./split-url.ts";

/** A database by its URL. MariaDB is only told from MySQL by the server. */
export type Dialect = "sqlite" | "postgresql" | "mysql";

/** A result URL, read. Printing it (`String`, JSON, `inspect`) gives the masked text. */
export class ResultsUrl {
  readonly dialect: Dialect;
  /** The name in the URL, small letters: `mariadb`, `postgres`. */
  readonly dialectName: string;
  /** The Python driver that was named (`psycopg2`); it changes nothing here. */
  readonly driver: string | undefined;
  readonly user: string | undefined;
  readonly host: string | undefined;
  readonly port: number | undefined;
  /** The database's name, or SQLite's file; undefined for an in-memory one. */
  readonly database: string | undefined;
  /** As given, with `**` in place of the password and of secret parameters. */
  readonly masked: string;
  readonly #password: string | undefined;
  readonly #parameters: UrlParts["parameters"];

  /** @internal use {@link parseResultsUrl} */
  constructor(
    dialect: Dialect,
    names: { readonly dialectName: string; readonly driver: string | undefined },
    parts: UrlParts,
    address: { readonly port: number | undefined; readonly database: string | undefined },
    masked: string,
  ) {
    this.dialect = dialect;
    this.dialectName = names.dialectName;
    this.driver = names.driver;
    this.user = parts.user;
    this.host = parts.host;
    this.port = address.port;
    this.database = address.database;
    this.masked = masked;
    this.#password = parts.password;
    this.#parameters = parts.parameters;
  }

  get password(): string | undefined {
    return this.#password;
  }

  /** The query's parameters in order of arrival, decoded; may hold secrets. */
  get parameters(): UrlParts["parameters"] {
    return this.#parameters;
  }

  toString(): string {
    return this.masked;
  }

  toJSON(): string {
    return this.masked;
  }
}

Object.defineProperty(ResultsUrl.prototype, inspect.custom, {
  value(this: ResultsUrl): string {
    return `ResultsUrl(${this.masked})`;
  },
});

const DIALECTS = new Map<string, Dialect>([
  ["sqlite", "sqlite"],
  ["postgresql", "postgresql"],
  // SQLAlchemy dropped this name in 1.4; hosting services still hand it out.
  ["postgres", "postgresql"],
  ["mysql", "mysql"],
  ["mariadb", "mysql"],
]);

const UNSUPPORTED = new Map([
  ["oracle", "Oracle"],
  ["mssql", "SQL Server"],
]);

const EXAMPLES =
  "db+sqlite:///results.sqlite, db+postgresql://user:password@host/database or db+mysql://…";

/**
 * Reads a result URL as Celery's users have it: `db+X://…` or `database+X://…` of `result_backend`,
 * or the bare SQLAlchemy URL of `database_url`. White space around it is dropped.
 *
 * @throws ResultsError `missing-url`, `bad-url`, `unknown-dialect` or `unsupported-database`; the
 * message never repeats the URL, which may hold a password
 */
export function parseResultsUrl(url: string | undefined | null): ResultsUrl {
  if (url !== undefined && url !== null && typeof url !== "string") {
    throw bad(`it is a ${typeof url}, not a text`);
  }
  const text = (url ?? "").trim();
  if (/^(?:db|database)?\+?(?::\/\/)?$/.test(text)) {
    throw new ResultsError(
      "missing-url",
      `Missing connection string! Give the URL of the results database: ${EXAMPLES}.`,
    );
  }
  const match = /^(?<prefix>(?:db|database)\+)?(?<name>[\w+.-]*):\/\/(?<rest>.*)$/s.exec(text);
  if (match?.groups === undefined) {
    throw bad("it does not begin with a database's name and ://");
  }
  const { prefix = "", name = "", rest = "" } = match.groups;
  const [dialectName = "", ...driver] = name.toLowerCase().split("+");
  const dialect = dialectOf(dialectName);
  const parts = splitUrl(rest);
  if (parts === undefined) {
    throw bad(
      "its host can't be read; an IPv6 address stands in brackets, an @, : or / of a password is written %40, %3A or %2F",
    );
  }
  return new ResultsUrl(
    dialect,
    { dialectName, driver: driver.join("+") || undefined },
    parts,
    { port: portOf(parts.port), database: databaseOf(dialect, parts) },
    `${prefix}${name}://${parts.masked}`,
  );
}

function dialectOf(name: string): Dialect {
  const dialect = DIALECTS.get(name);
  if (dialect !== undefined) return dialect;
  const unsupported = UNSUPPORTED.get(name);
  if (unsupported !== undefined) {
    throw new ResultsError(
      "unsupported-database",
      `The results database is ${unsupported} (${name}), which can't be used from here; SQLite, ` +
        `PostgreSQL, MySQL and MariaDB can. Its tables can be had: migrate with print and dialect "${name}".`,
      { facts: { field: name } },
    );
  }
  throw new ResultsError(
    "unknown-dialect",
    `The results URL names the database "${name}", which is none of sqlite, postgresql, mysql and ` +
      `mariadb; it looks like ${EXAMPLES}.`,
    { facts: { field: name } },
  );
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  // The text is not shown: a password with a slash or a colon too many ends up here.
  if (!(port >= 1 && port <= 65_535)) throw bad("its port is no number from 1 to 65535");
  return port;
}

function databaseOf(dialect: Dialect, parts: UrlParts): string | undefined {
  if (dialect !== "sqlite") return parts.database || undefined;
  if (parts.host !== undefined || parts.user !== undefined || parts.port !== undefined) {
    throw bad("SQLite has no host; write sqlite:///relative/file or sqlite:////absolute/file");
  }
  const file = parts.database || undefined;
  if (file === ":memory:") return undefined;
  if (file?.startsWith("file:")) {
    throw bad("SQLite file names that are URIs can't be used; write sqlite:////absolute/file");
  }
  if (file?.includes("\0")) throw bad("its file name holds a NUL");
  return file;
}

function bad(why: string): ResultsError {
  return new ResultsError(
    "bad-url",
    `The results URL can't be read: ${why}. It looks like ${EXAMPLES}.`,
  );
}
