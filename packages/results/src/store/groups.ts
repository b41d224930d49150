import { type Kysely, sql } from "kysely";
import { ResultsError } from "../errors.ts";
import { decodeGroup } from "../results-tree/decode-nodes.ts";
import { encodeGroup } from "../results-tree/encode-nodes.ts";
import type { ResultNode } from "../results-tree/result-node.ts";
import type { ResultTables } from "../schema/tables.ts";
import { decodeStored } from "../serializers/decode-stored.ts";
import { checkId } from "./check-id.ts";
import { checkBytes, checkLength } from "./fit-row.ts";
import { kindOf } from "./kind-of.ts";
import { putRow, putStatements } from "./put-row.ts";
import { hasId, queryOn, runQuery, textOf } from "./query-builder.ts";
import { columnBytes, columnText, INSTANT, readDate } from "./read-columns.ts";
import type { StoreContext } from "./store-context.ts";
import type { ResultGroup } from "./task-meta.ts";
import { asNode } from "./task-row.ts";

/** How a group is saved. */
export interface SaveGroupOptions {
  /** The task or group that the group belongs to. */
  readonly parent?: ResultNode | string | null | undefined;
  /** Write over a group that was saved under this id. Default false: `group-exists`, as Celery fails too. */
  readonly replace?: boolean | undefined;
}

/** See {@link ResultStore.saveGroup}. */
export async function saveGroup(
  context: StoreContext,
  groupId: string,
  members: readonly (ResultNode | string)[],
  { parent = null, replace = false }: SaveGroupOptions = {},
): Promise<void> {
  const { database, dates, serializer } = context;
  checkId("saveGroup", "group", groupId, database.dialect);
  if (!Array.isArray(members)) {
    throw new ResultsError(
      "bad-value",
      `saveGroup: members is ${kindOf(members)}; expected an array.`,
      {
        facts: { operation: "saveGroup", field: "members" },
      },
    );
  }
  const bytes = serializer.encode(
    encodeGroup({
      kind: "group",
      id: groupId,
      parent: parent === null ? null : asNode(parent),
      members: members.map(asNode),
    }),
  );
  const date = dates.filled(context.clock.now());
  const db = await database.kysely();
  let attempts = 0;
  const outcome = await database.run(
    "saveGroup",
    (connection) => {
      attempts++;
      const facts = database.facts.group;
      checkLength(facts, "saveGroup", "taskset_id", groupId, groupId);
      checkBytes(facts, "saveGroup", "result", bytes, groupId);
      const put = putStatements({
        sql: database.sql,
        facts,
        table: database.sql.group,
        key: "taskset_id",
        columns: ["result"],
        date: "time",
        mode: replace ? "put" : "add",
        final: null,
        sessionZone: dates.sessionZone,
      });
      return putRow(connection, put, { key: groupId, columns: [bytes], date }, true, async () => {
        const [row] = (await queryOn(connection, selectGroup(db, context, groupId))).rows;
        if (row === undefined) return "absent";
        if (replace && columnText(row, "taskset_id") === groupId) return "again";
        // The answer to an earlier attempt may have been lost on its way: then this is our own row.
        const stored = columnBytes(row, "result");
        const isOurs = attempts > 1 && stored !== null && Buffer.compare(stored, bytes) === 0;
        return isOurs ? "written" : "taken";
      });
    },
    { id: groupId },
  );
  if (outcome === "taken") {
    throw new ResultsError(
      "group-exists",
      `saveGroup: a group ${JSON.stringify(groupId)} is saved already; delete it first, or set replace.`,
      { facts: { operation: "saveGroup", id: groupId } },
    );
  }
}

/** See {@link ResultStore.restoreGroup}. */
export async function restoreGroup(
  context: StoreContext,
  groupId: string,
): Promise<ResultGroup | null> {
  const { database } = context;
  checkId("restoreGroup", "group", groupId, database.dialect);
  const { rows } = await runQuery(
    database,
    "restoreGroup",
    (db) => selectGroup(db, context, groupId),
    { id: groupId },
  );
  const [row] = rows;
  if (row === undefined || columnText(row, "taskset_id") !== groupId) return null;
  const bytes = columnBytes(row, "result");
  if (bytes === null) return null;
  const group = decodeGroup(decodeStored(bytes, context.serializer, context.values));
  if (group === null) return null;
  const { parent, members } = group;
  return { groupId: group.id, parent, members, ...readDate(row, context.dates.readFilled) };
}

/** See {@link ResultStore.deleteGroup}. */
export async function deleteGroup({ database }: StoreContext, id: string): Promise<boolean> {
  const { dialect } = database.sql;
  checkId("deleteGroup", "group", id, dialect);
  const { affectedRows } = await runQuery(
    database,
    "deleteGroup",
    (db) => db.deleteFrom("group").where(hasId(dialect, "taskset_id", id)),
    { id },
  );
  return affectedRows > 0;
}

function selectGroup(db: Kysely<ResultTables>, { database, dates }: StoreContext, id: string) {
  const { dialect } = database.sql;
  const query = db
    .selectFrom("group")
    .select(["result", textOf(dialect, "taskset_id"), textOf(dialect, "date_done")])
    .where("taskset_id", "=", id)
    .limit(sql.lit(1));
  return dates.sessionZone ? query.select(sql.raw(INSTANT).as("date_done_utc")) : query;
}
