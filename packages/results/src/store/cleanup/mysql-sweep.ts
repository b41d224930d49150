import type { SqlConnection } from "../../drivers/driver.ts";
import type { ExpiredRows, Sweep } from "./sweep.ts";

/*
 * InnoDB locks what a DELETE by date passes over, the gap behind the last old row included, where new rows
 * go. So rows are deleted through the primary key; the sum keeps the optimizer from the index of the dates.
 */
const OLD = "date_done + INTERVAL 0 SECOND < ?";

/** Of all ids from the first to the last old row, at least this part has to be of old rows. */
const LEAST_SHARE = 0.3;

/** By ranges of ids where old rows fill them, since tasks end about in the order of their ids. */
export async function startMysqlSweep(
  connection: SqlConnection,
  expired: ExpiredRows,
): Promise<Sweep> {
  if (expired.isExact) return byIds(expired);
  const { rows } = await connection.query(
    "SELECT CAST(MIN(id) AS CHAR) AS first, CAST(MAX(id) AS CHAR) AS last, COUNT(*) AS old " +
      `FROM ${expired.database.sql[expired.role]} WHERE date_done < ?`,
    [expired.cutoff],
  );
  const [found] = rows;
  if (!(Number(found?.["old"]) > 0)) return async () => ({ rows: 0, isLast: true });
  const first = BigInt(String(found?.["first"]));
  const last = BigInt(String(found?.["last"]));
  const share = Number(found?.["old"]) / Number(last - first + 1n);
  return share < LEAST_SHARE ? byIds(expired) : byRanges(expired, first, last);
}

/**
 * A range locks its rows, young ones too, and the row behind it. That one is an old row of the next
 * batch; the very last is deleted for itself, so that no lock ever reaches where new rows go.
 */
function byRanges({ database, role, cutoff }: ExpiredRows, first: bigint, last: bigint): Sweep {
  const table = database.sql[role];
  let next = first;
  return async (connection, size) => {
    const end = next + BigInt(size) < last ? next + BigInt(size) : last;
    const isLast = next === last;
    const { affectedRows } = isLast
      ? await connection.query(`DELETE FROM ${table} WHERE id = ? AND ${OLD}`, [last, cutoff])
      : await connection.query(`DELETE FROM ${table} WHERE id >= ? AND id < ? AND ${OLD}`, [
          next,
          end,
          cutoff,
        ]);
    next = end;
    return { rows: affectedRows, isLast };
  };
}

/** The ids are read without locks, and the rows deleted one by one. */
function byIds({ database, role, cutoff }: ExpiredRows): Sweep {
  const table = database.sql[role];
  return async (connection, size) => {
    const { rows } = await connection.query(
      `SELECT id FROM ${table} WHERE date_done < ? LIMIT ${size}`,
      [cutoff],
    );
    if (rows.length === 0) return { rows: 0, isLast: true };
    const ids = rows.map((row) => BigInt(row["id"] as number | bigint | string));
    const { affectedRows } = await connection.query(
      `DELETE FROM ${table} WHERE id IN (${ids.join(", ")}) AND ${OLD}`,
      [cutoff],
    );
    return { rows: affectedRows, isLast: ids.length < size };
  };
}
