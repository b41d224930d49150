import type { Driver } from "./driver.ts";
import type { DriverConfig } from "./driver-config.ts";
import { createMysqlDriver } from "./mysql-driver.ts";
import { createPostgresqlDriver } from "./postgresql-driver.ts";
import { createSqliteDriver } from "./sqlite-driver.ts";

/**
 * The driver of the URL's database; its package is loaded now.
 *
 * @throws ResultsError `driver-missing`, `bad-option`
 */
export async function createDriver(config: DriverConfig): Promise<Driver> {
  if (config.url.dialect === "postgresql") return createPostgresqlDriver(config);
  if (config.url.dialect === "mysql") return createMysqlDriver(config);
  return createSqliteDriver(config);
}
