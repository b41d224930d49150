// Celery's statements through the bare driver on one kept connection, as the peer's bench has them: for
// a store BEGIN, SELECT, INSERT (or SELECT … FOR UPDATE), UPDATE, COMMIT; for a read the SELECT.
import { createRequire } from "node:module";

const require = createRequire(new URL("../../packages/results/package.json", import.meta.url));
const COLUMNS = "id, task_id, status, result, date_done, traceback, children";

/**
 * @param {string} url
 * @returns {Promise<RawResults>}
 *
 * @typedef {object} RawResults
 * @property {(id: string) => unknown} get
 * @property {(id: string, state: string, value: object, isDone: boolean) => unknown} put
 * @property {(cutoff: Date) => unknown} cleanup both tables, in one transaction
 * @property {(sql: string) => unknown} run
 * @property {() => unknown} close
 */
export function openRaw(url) {
  return url.startsWith("db+sqlite") ? openSqlite(url.split("///")[1]) : openPostgresql(url);
}

async function openSqlite(file) {
  const Database = require("libsql");
  const database = new Database(file);
  const select = database.prepare(`SELECT ${COLUMNS} FROM celery_taskmeta WHERE task_id = ?`);
  const insert = database.prepare(
    "INSERT INTO celery_taskmeta (task_id, status, result, date_done, traceback, children) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const update = database.prepare(
    "UPDATE celery_taskmeta SET status = ?, result = ?, date_done = ? WHERE id = ?",
  );
  const put = (id, state, value, isDone) => {
    database.exec("BEGIN");
    const row = select.get([id]);
    if (row !== undefined && select.get([id]).status === "SUCCESS") {
      database.exec("ROLLBACK");
      return;
    }
    const key =
      row?.id ?? insert.run([id, "PENDING", null, text(new Date()), null, null]).lastInsertRowid;
    update.run([state, bytesOf(value), isDone ? text(new Date()) : null, key]);
    database.exec("COMMIT");
  };
  return {
    get: (id) => JSON.parse(Buffer.from(select.get([id]).result).toString()),
    put,
    cleanup(cutoff) {
      database.exec("BEGIN");
      for (const table of ["celery_taskmeta", "celery_tasksetmeta"]) {
        database.prepare(`DELETE FROM ${table} WHERE date_done < ?`).run([text(cutoff)]);
      }
      database.exec("COMMIT");
    },
    run: (sql) => database.exec(sql),
    close: () => database.close(),
  };
}

async function openPostgresql(url) {
  const { Client } = require("pg");
  const client = new Client({ connectionString: url.replace("db+", "") });
  await client.connect();
  const named = (name, sql) => (values) => client.query({ name, text: sql, values });
  const select = named("select", `SELECT ${COLUMNS} FROM celery_taskmeta WHERE task_id = $1`);
  const lock = named(
    "lock",
    `SELECT ${COLUMNS} FROM celery_taskmeta WHERE task_id = $1 FOR UPDATE`,
  );
  const insert = named(
    "insert",
    `INSERT INTO celery_taskmeta (${COLUMNS})
     VALUES (nextval('task_id_sequence'), $1, $2, $3, $4::timestamptz, $5, $6) RETURNING id`,
  );
  const update = named(
    "update",
    "UPDATE celery_taskmeta SET status = $1, result = $2, date_done = $3::timestamptz WHERE id = $4",
  );
  return {
    get: async (id) => JSON.parse((await select([id])).rows[0].result.toString()),
    async put(id, state, value, isDone) {
      await client.query("BEGIN");
      let [row] = (await select([id])).rows;
      if (row === undefined)
        [row] = (await insert([id, "PENDING", null, new Date(), null, null])).rows;
      else if ((await lock([id])).rows[0].status === "SUCCESS") {
        await client.query("ROLLBACK");
        return;
      }
      await update([state, bytesOf(value), isDone ? new Date() : null, row.id]);
      await client.query("COMMIT");
    },
    async cleanup(cutoff) {
      await client.query("BEGIN");
      for (const table of ["celery_taskmeta", "celery_tasksetmeta"]) {
        await client.query(`DELETE FROM ${table} WHERE date_done < $1::timestamptz`, [cutoff]);
      }
      await client.query("COMMIT");
    },
    run: (sql) => client.query(sql),
    close: () => client.end(),
  };
}

function bytesOf(value) {
  return Buffer.from(JSON.stringify(value));
}

function text(date) {
  return `${date.toISOString().replace("T", " ").replace("Z", "000")}`;
}
