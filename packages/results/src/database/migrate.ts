import { ResultsError } from "../errors.ts";
import { DDL_DIALECTS, type DdlDialect, tableStatements } from "../schema/ddl.ts";
import { resultTableNames } from "../schema/table-names.ts";
import { parseResultsUrl } from "../url/results-url.ts";
import type { MigrateOptions, MigrationReport, PrintedTables } from "./migration.ts";
import { createDatabase } from "./open-database.ts";
import type { DatabaseOptions } from "./options.ts";

/**
 * Makes what the tables at a URL lack, or (`check`) says what that is.
 *
 * @throws ResultsError with the codes of opening, see `openDatabase`
 */
export async function migrate(
  url: string | undefined,
  options: DatabaseOptions & MigrateOptions = {},
): Promise<MigrationReport> {
  const database = await createDatabase(url, options, true);
  try {
    return await database.migrate(options);
  } finally {
    await database.close();
  }
}

/**
 * The statements that make both tables, as Celery's SQLAlchemy compiles them, for any of six
 * dialects; connects to nothing.
 *
 * @param dialect its name, or a results URL: whose dialect it is (Oracle and SQL Server as well)
 * @throws ResultsError `unknown-dialect`, `bad-table-name`, and those of the URL
 */
export function printTables(
  dialect: string | undefined,
  options: Pick<DatabaseOptions, "tableNames" | "tableSchemas"> = {},
): PrintedTables {
  const names = resultTableNames(options.tableNames, options.tableSchemas);
  const known = ddlDialect(dialect);
  const statements = [
    ...tableStatements(known, "task", names),
    ...tableStatements(known, "group", names),
  ];
  return { dialect: known, statements };
}

function ddlDialect(text: string | undefined): DdlDialect {
  const named = DDL_DIALECTS.find((dialect) => dialect === text?.trim().toLowerCase());
  if (named !== undefined) return named;
  if (text !== undefined && !text.includes("://")) {
    throw new ResultsError(
      "unknown-dialect",
      `There are no statements for the dialect "${text}"; there are for ${DDL_DIALECTS.join(", ")}.`,
      { facts: { field: text } },
    );
  }
  try {
    const { dialect, dialectName } = parseResultsUrl(text);
    return dialectName === "mariadb" ? "mariadb" : dialect;
  } catch (error) {
    if (!(error instanceof ResultsError) || error.code !== "unsupported-database") throw error;
    return ddlDialect(error.facts.field);
  }
}
