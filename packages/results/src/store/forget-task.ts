import { checkId } from "./check-id.ts";
import { hasId, runQuery } from "./query-builder.ts";
import type { StoreContext } from "./store-context.ts";

/** See {@link ResultStore.forget}. */
export async function forgetTask({ database }: StoreContext, id: string): Promise<boolean> {
  const { dialect } = database.sql;
  checkId("forget", "task", id, dialect);
  const { affectedRows } = await runQuery(
    database,
    "forget",
    (db) => db.deleteFrom("task").where(hasId(dialect, "task_id", id)),
    { id },
  );
  return affectedRows > 0;
}
