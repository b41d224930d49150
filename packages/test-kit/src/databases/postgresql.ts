import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import pg from "pg";
import type { DatabaseServer, Engine, Row } from "./database-server.ts";
import { initialise, type Surroundings, startServer, writeSecretFile } from "./start-server.ts";

const USER = "postgres";
const CONNECT_LIMIT_MS = 5_000;
const BYTEA = 17;
const NUMBERS = new Set([20, 21, 23, 700, 701]); // int8, int2, int4, float4, float8

/**
 * Starts PostgreSQL 17 on loopback in about half a second: UTF-8, C collation, time zone UTC
 * (`ALTER DATABASE … SET timezone` changes it for one database).
 *
 * @throws Error when the peer is missing or the server did not come up, with the end of its log
 */
export async function startPostgresql(): Promise<DatabaseServer> {
  return await startServer("postgresql", prepare);
}

async function prepare(surroundings: Surroundings): Promise<Engine> {
  const { program, executable, port, password } = surroundings;
  const data = join(program.folder, "data");
  const passwordFile = join(program.folder, "password");
  writeSecretFile(passwordFile, `${password}\n`);
  const env = { LC_ALL: "C", TZ: "UTC" };
  await initialise(program, {
    command: join(dirname(executable), "initdb"),
    args: [
      ...["-D", data, "-U", USER, `--pwfile=${passwordFile}`, "--auth=scram-sha-256"],
      ...["--no-locale", "--encoding=UTF8", "--no-sync"],
    ],
    env,
  });
  rmSync(passwordFile);
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    // Written, not synced: survives a kill of the server.
    "fsync=off",
    "full_page_writes=off",
    "shared_buffers=32MB",
    // Shared memory in the data folder: after a SIGKILL none of it stays behind in /dev/shm.
    "dynamic_shared_memory_type=mmap",
    "timezone=UTC",
    "log_timezone=UTC",
  ];
  const connection = { host: "127.0.0.1", port, user: USER, password };
  return {
    kind: "postgresql",
    scheme: "postgresql",
    celeryDrivers: ["psycopg2", "psycopg"],
    user: USER,
    adminDatabase: "postgres",
    orderlyStop: "SIGINT",
    async start() {
      const args = ["-D", data, "-p", String(port), ...settings.flatMap((one) => ["-c", one])];
      // SIGQUIT: its shared memory is given back at once, which SIGKILL leaves behind.
      await program.start({ command: executable, args, env, stopSignal: "SIGQUIT" });
    },
    query: (database, sql, parameters) => query({ ...connection, database }, sql, parameters),
  };
}

async function query(
  connection: pg.ClientConfig,
  sql: string,
  parameters: readonly unknown[],
): Promise<readonly Row[]> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    types: { getTypeParser: (type: number) => typeParser(type) as () => unknown },
  });
  client.on("error", () => {}); // of a connection that the server ended: the query rejects
  try {
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(sql, [...parameters]);
    return rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Date-times stay text: a Date would lose digits and take a zone. */
function typeParser(type: number): (text: string) => unknown {
  if (NUMBERS.has(type)) return Number;
  if (type === BYTEA) return (text) => Buffer.from(text.slice("\\x".length), "hex");
  return (text) => text;
}
