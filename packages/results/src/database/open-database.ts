import { createDriver } from "../drivers/create-driver.ts";
import type { Driver, DriverConnection } from "../drivers/driver.ts";
import { Secrets } from "../drivers/secrets.ts";
import { createSqlText } from "../schema/sql-text.ts";
import { resultTableNames } from "../schema/table-names.ts";
import { parseResultsUrl } from "../url/results-url.ts";
import { checkOptions } from "./check-options.ts";
import { Database } from "./database.ts";
import type { DatabaseOptions } from "./options.ts";
import { ConnectionPool } from "./pool.ts";

const DEFAULT_POOL_SIZE = 5;
const DEFAULT_POOL_TIMEOUT_MS = 30_000;
const DEFAULT_RECYCLE_SECONDS = 3_600;
const DEFAULT_PRE_PING_IDLE_MS = 1_000;
const DEFAULT_MAX_RETRIES = 3;

/**
 * Opens a database: reads the URL, loads the driver, and (unless `createTables` is `lazily`)
 * connects and looks at the tables, making what is missing.
 *
 * @throws ResultsError `missing-url`, `bad-url`, `unknown-dialect`, `unsupported-database`,
 * `driver-missing`, `bad-option`, `bad-table-name`, `database-unreachable`, `set-up-failed`, `aborted`
 */
export async function openDatabase(
  url: string | undefined,
  options: DatabaseOptions = {},
): Promise<Database> {
  checkOptions(options);
  const database = await createDatabase(url, options, options.createTables !== "never");
  if (options.createTables === "lazily") return database;
  try {
    await database.setUp(options.signal);
    return database;
  } catch (error) {
    const closed = database.close();
    // Who gives up does not wait for the attempt that is under way.
    if (options.signal?.aborted !== true) await closed;
    throw error;
  }
}

/** A database that was not connected to yet. */
export async function createDatabase(
  url: string | undefined,
  options: DatabaseOptions,
  create: boolean,
): Promise<Database> {
  checkOptions(options);
  const parsed = parseResultsUrl(url);
  const names = resultTableNames(options.tableNames, options.tableSchemas);
  const driver = await createDriver({ url: parsed, options, secrets: Secrets.of(parsed, options) });
  const pool = new ConnectionPool(echoing(driver, options.onStatement), {
    size: options.poolSize ?? DEFAULT_POOL_SIZE,
    timeoutMs: options.poolTimeoutMs ?? DEFAULT_POOL_TIMEOUT_MS,
    recycleMs: (options.recycleSeconds ?? DEFAULT_RECYCLE_SECONDS) * 1000,
    prePingIdleMs: options.prePingIdleMs ?? DEFAULT_PRE_PING_IDLE_MS,
    shortLived: options.shortLived ?? false,
  });
  return new Database({
    url: parsed,
    sql: createSqlText(parsed.dialect, names),
    pool,
    names,
    setUp: {
      dialect: parsed.dialect,
      names,
      create,
      largeValues: false,
    },
    onWarning: once(options.onWarning ?? emitWarning),
    maxRetries: options.alwaysRetry === false ? 0 : (options.maxRetries ?? DEFAULT_MAX_RETRIES),
    retryLogin: options.beforeConnect !== undefined,
  });
}

function emitWarning(message: string): void {
  process.emitWarning(message, "ResultsWarning");
}

/** The set-up may be done again: what was said is not repeated. */
function once(tell: (message: string) => void): (message: string) => void {
  const told = new Set<string>();
  return (message) => {
    if (told.has(message)) return;
    told.add(message);
    tell(message);
  };
}

function echoing(driver: Driver, tell: ((sql: string) => void) | undefined): Driver {
  if (tell === undefined) return driver;
  return {
    ...driver,
    connect: async () => {
      const connection: DriverConnection = await driver.connect();
      const query = connection.query.bind(connection);
      connection.query = (sql, values) => {
        tell(sql);
        return query(sql, values);
      };
      return connection;
    },
  };
}
