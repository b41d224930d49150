import { readFileSync } from "node:fs";
import type mysql from "mysql2";
import { ResultsError } from "../errors.ts";
import { mysqlFault } from "../retry/mysql-faults.ts";
import type { ResultsUrl } from "../url/results-url.ts";
import type { Driver, SqlResult, SqlRow, SqlValue } from "./driver.ts";
import {
  connectDetails,
  DEFAULT_CONNECT_TIMEOUT_MS,
  type DriverConfig,
  parameter,
  secondsParameter,
} from "./driver-config.ts";
import { loadPeer } from "./load-peer.ts";
import { type Link, SocketConnection } from "./socket-connection.ts";

/** MySQL and MariaDB through the package `mysql2`. */
export async function createMysqlDriver(config: DriverConfig): Promise<Driver> {
  const { default: library } = await loadPeer("mysql2", "MySQL", () => import("mysql2"));
  return {
    maxConnections: Number.POSITIVE_INFINITY,
    canReconnect: true,
    growsOld: true,
    connect: async () =>
      new SocketConnection(new MysqlLink(await connectTo(library, config), config.secrets.redact)),
  };
}

async function connectTo(library: typeof mysql, config: DriverConfig): Promise<mysql.Connection> {
  const { url, options, secrets } = config;
  const host = url.host ?? "localhost";
  const port = url.port ?? 3306;
  const details = await connectDetails(config, { host, port });
  const socketPath = parameter(url, "unix_socket");
  const ssl = details.ssl ?? sslOf(url);
  const settings = {
    ...(socketPath === undefined ? { host, port } : { socketPath }),
    user: details.user,
    password: details.password,
    database: url.database,
    ...(ssl === undefined || ssl === false ? {} : { ssl: ssl === true ? {} : ssl }),
    // Whatever `charset` the URL names: in a smaller one, mysql2 turns characters into question marks
    // without a word. The server converts to the column's, or refuses.
    charset: "UTF8MB4_GENERAL_CI",
    connectTimeout:
      options.connectTimeoutMs ??
      secondsParameter(url, "connect_timeout") ??
      DEFAULT_CONNECT_TIMEOUT_MS,
    // What the tables hold, unchanged: no Date in the zone of this process.
    dateStrings: true,
    supportBigNumbers: true,
    maxPreparedStatements: 100,
    ...options.driverOptions,
  } as mysql.ConnectionOptions;
  return new Promise((resolve, reject) => {
    let connection: mysql.Connection;
    try {
      connection = library.createConnection(settings);
    } catch (cause) {
      const text = secrets.redact((cause as Error).message);
      reject(new ResultsError("bad-option", `mysql2 refuses its options: ${text}`));
      return;
    }
    // Without a listener, a link that breaks ends the process.
    connection.on("error", () => {});
    connection.connect((error) => {
      if (error === null) {
        resolve(connection);
      } else {
        connection.destroy();
        reject(mysqlFault(error, secrets.redact));
      }
    });
  });
}

class MysqlLink implements Link {
  readonly #connection: mysql.Connection;
  readonly #redact: (text: string) => string;

  constructor(connection: mysql.Connection, redact: (text: string) => string) {
    this.#connection = connection;
    this.#redact = redact;
  }

  onLost(lost: () => void): void {
    this.#connection.on("error", lost);
    this.#connection.on("end", lost);
  }

  query(sql: string, values: readonly SqlValue[]): Promise<SqlResult> {
    return new Promise((resolve, reject) => {
      const done = (error: mysql.QueryError | null, answer: unknown): void => {
        if (error) reject(mysqlFault(error, this.#redact));
        else resolve(resultOf(answer));
      };
      // Values never go into the text: escaping them depends on the server's sql_mode. Statements
      // without values skip the round trip of preparing them.
      if (values.length === 0) this.#connection.query(sql, done);
      else this.#connection.execute(sql, values.map(bound), done);
    });
  }

  ping(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#connection.ping((error) => {
        if (error) reject(mysqlFault(error, this.#redact));
        else resolve();
      });
    });
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#connection.end(() => resolve());
    });
  }

  destroy(): void {
    this.#connection.destroy();
  }
}

/** Numbers go as text: mysql2 sends them as DOUBLE, which `LIMIT ?` refuses. */
function bound(value: SqlValue): string | Buffer | null {
  if (value === null || typeof value === "string") return value;
  if (value instanceof Uint8Array) {
    return Buffer.isBuffer(value)
      ? value
      : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  return String(value);
}

function resultOf(answer: unknown): SqlResult {
  if (Array.isArray(answer)) return { rows: answer as SqlRow[], affectedRows: answer.length };
  return { rows: [], affectedRows: (answer as mysql.ResultSetHeader).affectedRows };
}

const SSL_FILES = { ssl_ca: "ca", ssl_cert: "cert", ssl_key: "key" } as const;

/**
 * Encrypted where the URL has `ssl_ca`, `ssl_cert`, `ssl_key`, `ssl_mode` or `ssl=true`; a server's
 * certificate is checked where `ssl_ca` or `ssl_verify_cert` is given, as PyMySQL does.
 */
function sslOf(url: ResultsUrl): { [option: string]: unknown } | undefined {
  const mode = parameter(url, "ssl_mode")?.toUpperCase();
  const isDisabled = mode === "DISABLED" || isTrue(parameter(url, "ssl_disabled"));
  const options: { [option: string]: unknown } = {};
  for (const [name, option] of Object.entries(SSL_FILES)) {
    const file = parameter(url, name);
    if (file !== undefined) options[option] = readPem(name, file);
  }
  const isAsked =
    Object.keys(options).length > 0 ||
    isTrue(parameter(url, "ssl")) ||
    (mode !== undefined && mode !== "PREFERRED");
  if (isDisabled || !isAsked) return undefined;
  const isVerified = "ca" in options || mode?.startsWith("VERIFY") === true;
  options["rejectUnauthorized"] = isVerified || isTrue(parameter(url, "ssl_verify_cert"));
  // mysql2 checks the name only where it is asked to.
  options["verifyIdentity"] =
    mode === "VERIFY_IDENTITY" ||
    isTrue(parameter(url, "ssl_verify_identity", "ssl_check_hostname"));
  return options;
}

function isTrue(text: string | undefined): boolean {
  return text !== undefined && /^(1|true|yes|on)$/i.test(text);
}

function readPem(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    const message = `The file of ${name} in the results URL can't be read: ${file}`;
    throw new ResultsError("bad-url", message, { cause, facts: { field: name } });
  }
}
