import type { SqlConnection } from "../drivers/driver.ts";
import { ResultsError } from "../errors.ts";
import { decodeGroup } from "../results-tree/decode-nodes.ts";
import { encodeGroup } from "../results-tree/encode-nodes.ts";
import type { ResultNode } from "../results-tree/result-node.ts";
import { decodeStored } from "../serializers/decode-stored.ts";
import { checkId } from "./check-id.ts";
import { checkBytes, checkLength } from "./fit-row.ts";
import { deleteRow } from "./forget-task.ts";
import { kindOf } from "./kind-of.ts";
import { putRow, putStatements } from "./put-row.ts";
import { columnBytes, columnText, dateColumn, instantColumn, readDate } from "./read-columns.ts";
import type { StoreContext } from "./store-context.ts";
import type { ResultGroup } from "./task-meta.ts";
import { asNode } from "./task-row.ts";

/** How a group is saved. */
export interface SaveGroupOptions {
  /** The task or group that the group belongs to. */
  readonly parent?: ResultNode | string | null;
  /** Write over a group that was saved under this id. Default false: `group-exists`, as Celery fails too. */
  readonly replace?: boolean;
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
        const row = await selectGroup(context, connection, groupId);
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
  const row = await database.run(
    "restoreGroup",
    (connection) => selectGroup(context, connection, groupId),
    { id: groupId },
  );
  if (row === undefined || columnText(row, "taskset_id") !== groupId) return null;
  const bytes = columnBytes(row, "result");
  if (bytes === null) return null;
  const group = decodeGroup(decodeStored(bytes, context.serializer, context.values));
  if (group === null) return null;
  const { parent, members } = group;
  return { groupId: group.id, parent, members, ...readDate(row, context.dates.readFilled) };
}

/** See {@link ResultStore.deleteGroup}. */
export async function deleteGroup(context: StoreContext, groupId: string): Promise<boolean> {
  checkId("deleteGroup", "group", groupId, context.database.dialect);
  return deleteRow(context, "deleteGroup", context.database.sql.group, "taskset_id", groupId);
}

async function selectGroup(context: StoreContext, connection: SqlConnection, groupId: string) {
  const { sql } = context.database;
  const { rows } = await connection.query(
    `SELECT ${sql.text("taskset_id")}, result, ${dateColumn(sql)}${instantColumn(context.dates)} ` +
      `FROM ${sql.group} WHERE taskset_id = ${sql.parameter(1)} LIMIT 1`,
    [groupId],
  );
  return rows[0];
}
