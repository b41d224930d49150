import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import mysql from "mysql2/promise";
import type { DatabaseServer, Engine, Row } from "./database-server.ts";
import {
  initialise,
  makeServerFolder,
  type Surroundings,
  startServer,
  writeSecretFile,
} from "./start-server.ts";

const USER = "parlance";
const CONNECT_LIMIT_MS = 5_000;
const SYSTEM_TABLES = [
  /_system_tables\.sql$/,
  /_performance_tables\.sql$/,
  /_system_tables_data\.sql$/,
];

/**
 * Starts the distribution's MariaDB on loopback in about a second and a half: utf8mb4, its default
 * (strict) SQL mode.
 *
 * @throws Error when the peer is missing or the server did not come up, with the end of its log
 */
export async function startMariadb(): Promise<DatabaseServer> {
  return await startServer("mariadb", prepare);
}

async function prepare(surroundings: Surroundings): Promise<Engine> {
  const { program, executable, port, password } = surroundings;
  const { folder } = program;
  const data = join(folder, "data");
  makeServerFolder(data);
  const root = dirname(dirname(executable));
  const share = join(root, "share");
  const env = { LD_LIBRARY_PATH: join(root, "lib"), LC_ALL: "C", TZ: "UTC" };
  const common = [
    "--no-defaults",
    `--datadir=${data}`,
    `--tmpdir=${folder}`,
    `--lc-messages-dir=${share}`,
    `--character-sets-dir=${join(share, "charsets")}`,
    "--character-set-server=utf8mb4",
    "--collation-server=utf8mb4_general_ci",
    // Written, not synced: survives a kill of the server.
    "--innodb-flush-method=nosync",
    "--innodb-log-file-size=48M",
    "--innodb-buffer-pool-size=64M",
    "--innodb-data-file-path=ibdata1:4M:autoextend",
  ];
  const inputFile = join(folder, "system-tables.sql");
  writeSecretFile(inputFile, systemTables(share, password));
  await initialise(program, {
    command: executable,
    args: [...common, "--bootstrap"],
    env,
    inputFile,
  });
  rmSync(inputFile);
  const connection = { host: "127.0.0.1", port, user: USER, password };
  return {
    kind: "mariadb",
    scheme: "mysql",
    celeryDrivers: ["pymysql"],
    user: USER,
    adminDatabase: "mysql",
    orderlyStop: "SIGTERM",
    async start() {
      const args = [
        ...common,
        "--bind-address=127.0.0.1",
        `--port=${port}`,
        `--socket=${join(folder, "server.sock")}`,
        `--pid-file=${join(folder, "server.pid")}`,
        "--skip-name-resolve",
        "--max-connections=200",
      ];
      await program.start({ command: executable, args, env });
    },
    query: (database, sql, parameters) => query({ ...connection, database }, sql, parameters),
  };
}

/** For `--bootstrap`, which wants each statement to end a line. Our user is the only one. */
function systemTables(share: string, password: string): string {
  const files = readdirSync(share);
  const scripts = SYSTEM_TABLES.map((pattern) => {
    const name = files.find((file) => pattern.test(file));
    if (name === undefined) throw new Error(`${share} has no file like ${pattern}`);
    return readFileSync(join(share, name), "utf8");
  });
  return [
    "CREATE DATABASE mysql;",
    "USE mysql;",
    "SET @auth_root_socket=NULL;",
    ...scripts,
    "DELETE FROM global_priv;",
    "FLUSH PRIVILEGES;",
    `CREATE USER ${USER}@'127.0.0.1' IDENTIFIED BY '${password}';`,
    `GRANT ALL ON *.* TO ${USER}@'127.0.0.1' WITH GRANT OPTION;`,
    "",
  ].join("\n");
}

async function query(
  connection: mysql.ConnectionOptions,
  sql: string,
  parameters: readonly unknown[],
): Promise<readonly Row[]> {
  const limits = { connectTimeout: CONNECT_LIMIT_MS, dateStrings: true };
  const client = await mysql.createConnection({ ...connection, ...limits });
  client.on("error", () => {}); // of a connection that the server ended: the query rejects
  try {
    const [rows] = await client.query(sql, [...parameters]);
    return Array.isArray(rows) ? (rows as Row[]) : [];
  } finally {
    client.destroy();
  }
}
