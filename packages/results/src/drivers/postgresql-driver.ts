import { existsSync } from "node:fs";
import type pg from "pg";
import { postgresqlFault } from "../retry/postgresql-faults.ts";
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
import { type PgSsl, sslAttempts } from "./postgresql-ssl.ts";
import { SocketConnection } from "./socket-connection.ts";
import { StatementNames } from "./statement-names.ts";

/** PostgreSQL through the package `pg`. */
export async function createPostgresqlDriver(config: DriverConfig): Promise<Driver> {
  const { default: library } = await loadPeer("pg", "PostgreSQL", () => import("pg"));
  const addresses = addressesOf(config.url);
  return {
    maxConnections: Number.POSITIVE_INFINITY,
    canReconnect: true,
    growsOld: true,
    async connect() {
      let failure: unknown;
      for (const address of addresses) {
        try {
          const client = await connectTo(library, config, address);
          return new SocketConnection(new PgLink(client, config.secrets.redact));
        } catch (error) {
          failure = error;
        }
      }
      throw failure;
    },
  };
}

interface Address {
  readonly host: string;
  readonly port: number;
}

async function connectTo(
  library: typeof pg,
  config: DriverConfig,
  address: Address,
): Promise<pg.Client> {
  const { url, options, secrets } = config;
  const details = await connectDetails(config, address);
  const attempts: readonly PgSsl[] =
    details.ssl === undefined
      ? sslAttempts(url, address.host.startsWith("/"))
      : [details.ssl as PgSsl];
  const settings: pg.ClientConfig = {
    ...address,
    ...defined({
      user: details.user ?? parameter(url, "user"),
      password: details.password ?? parameter(url, "password"),
      database: url.database ?? parameter(url, "dbname"),
      options: parameter(url, "options"),
      application_name: parameter(url, "application_name"),
    }),
    connectionTimeoutMillis:
      options.connectTimeoutMs ??
      secondsParameter(url, "connect_timeout") ??
      DEFAULT_CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser: typeParser as pg.CustomTypesConfig["getTypeParser"] },
    ...options.driverOptions,
  };
  let failure: unknown;
  for (const ssl of attempts) {
    const client = new library.Client({ ssl, ...settings } as pg.ClientConfig);
    // Without a listener, a link that breaks ends the process.
    client.on("error", () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      failure = postgresqlFault(error, secrets.redact);
      destroy(client);
      // Only what may depend on the encryption is worth the other way.
      if (!/SSL|no encryption|pg_hba/i.test((failure as Error).message)) break;
    }
  }
  throw failure;
}

class PgLink {
  readonly #client: pg.Client;
  readonly #redact: (text: string) => string;
  readonly #names = new StatementNames();

  constructor(client: pg.Client, redact: (text: string) => string) {
    this.#client = client;
    this.#redact = redact;
  }

  onLost(lost: () => void): void {
    this.#client.on("error", lost);
    this.#client.on("end", lost);
  }

  async query(sql: string, values: readonly SqlValue[]): Promise<SqlResult> {
    const name = this.#names.nameOf(sql);
    try {
      return await this.#send(name === undefined ? { text: sql } : { text: sql, name }, values);
    } catch (error) {
      if (name === undefined || !this.#names.isLost(error)) throw this.#fault(error);
    }
    try {
      return await this.#send({ text: sql }, values);
    } catch (error) {
      throw this.#fault(error);
    }
  }

  async #send(
    statement: { readonly text: string; readonly name?: string },
    values: readonly SqlValue[],
  ): Promise<SqlResult> {
    const result = await this.#client.query<{ [column: string]: SqlValue }>({
      ...statement,
      values: values as SqlValue[],
    });
    return { rows: result.rows as SqlRow[], affectedRows: result.rowCount ?? 0 };
  }

  #fault(error: unknown): unknown {
    return postgresqlFault(error, this.#redact);
  }

  async ping(): Promise<void> {
    await this.query("", []);
  }

  end(): Promise<unknown> {
    return this.#client.end();
  }

  destroy(): void {
    destroy(this.#client);
  }
}

function destroy(client: pg.Client): void {
  // Not in pg's types; there since its first versions.
  const { connection } = client as unknown as { connection?: { stream?: { destroy(): void } } };
  connection?.stream?.destroy();
}

/** `pg_type.oid` of what the tables and the catalog queries have; anything else stays text. */
const BYTEA = 17;
const INTEGERS = [20, 21, 23, 26];

function typeParser(oid: number): (text: string) => SqlValue {
  if (oid === BYTEA) return byteaOf;
  return INTEGERS.includes(oid) ? integerOf : asIs;
}

const asIs = (text: string): string => text;

/** `\x…` since PostgreSQL 9.0, unless `bytea_output` says `escape`. */
function byteaOf(text: string): Uint8Array {
  if (text.startsWith("\\x")) return Buffer.from(text.slice(2), "hex");
  const plain = text.replace(/\\(\\|[0-7]{3})/g, (_, code: string) =>
    code === "\\" ? "\\" : String.fromCharCode(Number.parseInt(code, 8)),
  );
  return Buffer.from(plain, "latin1");
}

function integerOf(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** Where libpq's packages look for the server's socket when no host is named. */
const SOCKET_FOLDERS = ["/var/run/postgresql", "/tmp"];

function addressesOf(url: ResultsUrl): Address[] {
  const port = url.port ?? Number(parameter(url, "port") ?? process.env["PGPORT"] ?? 5432);
  const hosts = url.parameters
    .filter(([name]) => name === "host" || name === "hostaddr")
    .flatMap(([, value]) => value.split(","))
    .filter((host) => host !== "");
  if (hosts.length === 0) return [{ host: url.host ?? defaultHost(port), port }];
  return hosts.map((host) => {
    const [, name = host, own] = /^([^/:]+):(\d+)$/.exec(host) ?? [];
    return { host: name, port: own === undefined ? port : Number(own) };
  });
}

function defaultHost(port: number): string {
  const named = process.env["PGHOST"];
  if (named) return named;
  const folder = SOCKET_FOLDERS.find((path) => existsSync(`${path}/.s.PGSQL.${port}`));
  return folder ?? "localhost";
}

function defined<T extends object>(values: T): { [Key in keyof T]: NonNullable<T[Key]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: NonNullable<T[Key]>;
  };
}
