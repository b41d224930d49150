import { sql } from "kysely";
import { checkId } from "./check-id.ts";
import { hasId, runQuery } from "./query-builder.ts";
import type { StoreContext } from "./store-context.ts";

/** See {@link ResultStore.exists}. */
export async function taskExists({ database }: StoreContext, id: string): Promise<boolean> {
  const { dialect } = database.sql;
  checkId("exists", "task", id, dialect);
  const { rows } = await runQuery(
    database,
    "exists",
    (db) =>
      db
        .selectFrom("task")
        .select(sql.lit(1).as("found"))
        .where(hasId(dialect, "task_id", id))
        .limit(sql.lit(1)),
    { id },
  );
  return rows.length > 0;
}
