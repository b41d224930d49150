import type { SqlText } from "../schema/sql-text.ts";
import type { TableFacts } from "../schema/tables.ts";

/** Of which shape the two tables are here. */
export interface WriteTarget {
  readonly sql: SqlText;
  readonly facts: TableFacts;
  /** The quoted table, and its column that holds the id. */
  readonly table: string;
  readonly key: "task_id" | "taskset_id";
  /** The columns that are set besides the key and `date_done`. */
  readonly columns: readonly string[];
  /**
   * The value of `date_done`: the time, or for an unready state NULL in a new row and in a row that has
   * a time, and the time in a row that has none, which is what Celery's column does.
   */
  readonly date: "time" | "filled";
  /** `add` writes new rows only. */
  readonly mode: "put" | "add";
  /** Leave a row with this status alone. */
  readonly final: string | null;
  readonly sessionZone: boolean;
}

/**
 * PostgreSQL: both in one statement and one round trip. The INSERT names the sequence only where there
 * was no row, so that no number is burned for an update. `ON CONFLICT` without a target needs no
 * unique constraint, and also passes over a taken `id`. One row comes back when something was written.
 *
 * Values: the key, the date, the columns.
 */
export function postgresPut(target: WriteTarget): string {
  const { sql, facts, table, key, columns } = target;
  const date = `$2::${target.sessionZone ? "timestamptz" : "timestamp"}`;
  const values = columns.map((column, index) => `$${index + 3}::${postgresType(column)}`);
  const sets = columns.map((column, index) => `${sql.quote(column)} = ${values[index]}`);
  const names = [key, ...columns].map((column) => sql.quote(column));
  const news = ["$1::varchar", ...values];
  if (facts.nextId !== null) {
    names.unshift("id");
    news.unshift(facts.nextId);
  }
  sets.push(`date_done = ${target.date === "time" ? date : filled(date)}`);
  names.push("date_done");
  news.push(target.date === "time" ? date : "NULL");
  const where = `${key} = $1::varchar`;
  const notFinal = target.final === null ? "" : ` AND status IS DISTINCT FROM '${target.final}'`;
  const added =
    `INSERT INTO ${table} (${names.join(", ")}) SELECT ${news.join(", ")} ` +
    `WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE ${where}) ON CONFLICT DO NOTHING RETURNING 1`;
  if (target.mode === "add") return added;
  return (
    `WITH changed AS (UPDATE ${table} SET ${sets.join(", ")} WHERE ${where}${notFinal} RETURNING 1), ` +
    `added AS (${added}) SELECT 1 FROM changed UNION ALL SELECT 1 FROM added`
  );
}

/** SQLite and MySQL: changes the row that is there. Values: the columns, the date, the key (twice on MySQL). */
export function update(target: WriteTarget): string {
  const { sql, table, key, columns } = target;
  const sets = columns.map((column) => `${sql.quote(column)} = ?`);
  sets.push(`date_done = ${target.date === "time" ? "?" : filled("?")}`);
  const where = [`${key} = ?`];
  if (isMysql(sql)) where.push(exactly(key));
  if (target.final !== null) {
    where.push(
      isMysql(sql)
        ? `(status IS NULL OR ${binary("status")} <> '${target.final}')`
        : `status IS NOT '${target.final}'`,
    );
  }
  return `UPDATE ${table} SET ${sets.join(", ")} WHERE ${where.join(" AND ")}`;
}

/**
 * SQLite and MySQL: adds the row. SQLite looks first, which costs nothing under its one lock and needs
 * no unique constraint. MySQL must not: what an INSERT … SELECT reads stays locked, the gap where the
 * row would be included, and two of them would deadlock; it fails on its unique key instead.
 *
 * Values: the key, the columns, the date if it is set (and on SQLite the key again).
 */
export function insert(target: WriteTarget): string {
  const { sql, facts, table, key, columns } = target;
  const names = [key, ...columns].map((column) => sql.quote(column));
  const news = names.map(() => "?");
  names.push("date_done");
  news.push(target.date === "time" ? "?" : "NULL");
  if (facts.nextId !== null) {
    names.unshift("id");
    news.unshift(facts.nextId);
  }
  const into = `INSERT INTO ${table} (${names.join(", ")})`;
  return isMysql(sql)
    ? `${into} VALUES (${news.join(", ")})`
    : `${into} SELECT ${news.join(", ")} WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE ${key} = ?)`;
}

/**
 * MySQL's usual collations take `a`, `A` and `a ` for the same key. A condition on the bytes beside the
 * one that the index serves keeps another task's row out. Value: the key.
 */
function exactly(key: string): string {
  return `${binary(key)} = CAST(? AS BINARY)`;
}

export function isMysql(sql: SqlText): boolean {
  return sql.dialect === "mysql";
}

function binary(column: string): string {
  return `CAST(CONVERT(${column} USING utf8mb4) AS BINARY)`;
}

function filled(date: string): string {
  return `CASE WHEN date_done IS NULL THEN ${date} ELSE NULL END`;
}

function postgresType(column: string): string {
  switch (column) {
    case "status":
    case "traceback":
    case "name":
    case "worker":
    case "queue":
      return "text";
    case "retries":
      return "integer";
    default:
      return "bytea";
  }
}
