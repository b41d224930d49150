import type { TableNames } from "../database/options.ts";
import { ResultsError } from "../errors.ts";

/** Which of the two tables. */
export type TableRole = "task" | "group";

/** One table's name and schema, checked. */
export interface TableName {
  readonly name: string;
  readonly schema: string | undefined;
}

/** Both. */
export type ResultTableNames = { readonly [Role in TableRole]: TableName };

const DEFAULTS: { readonly [Role in TableRole]: string } = {
  task: "celery_taskmeta",
  group: "celery_tasksetmeta",
};

/** PostgreSQL cuts longer names without a word; MySQL's limit is 64. */
const MAX_NAME_BYTES = 63;

/**
 * The names of the tables, checked: text of 1 to 63 bytes without control characters. Quotes are
 * doubled when they are used.
 *
 * @throws ResultsError `bad-table-name`
 */
export function resultTableNames(
  names: TableNames | undefined,
  schemas: TableNames | undefined,
): ResultTableNames {
  checkKeys("tableNames", names);
  checkKeys("tableSchemas", schemas);
  const result = {
    task: tableName("task", names, schemas),
    group: tableName("group", names, schemas),
  };
  if (result.task.name === result.group.name && result.task.schema === result.group.schema) {
    throw badName(`Both tables are called ${result.task.name}; they need two names.`, "tableNames");
  }
  return result;
}

function tableName(
  role: TableRole,
  names: TableNames | undefined,
  schemas: TableNames | undefined,
): TableName {
  return {
    name: check(names?.[role] ?? DEFAULTS[role], `tableNames.${role}`),
    schema:
      schemas?.[role] === undefined ? undefined : check(schemas[role], `tableSchemas.${role}`),
  };
}

function check(name: unknown, field: string): string {
  if (typeof name !== "string") {
    throw badName(`${field} is a ${typeof name}; it is a name.`, field);
  }
  const bytes = Buffer.byteLength(name);
  if (bytes < 1 || bytes > MAX_NAME_BYTES) {
    throw badName(`${field} has ${bytes} bytes; a name has 1 to ${MAX_NAME_BYTES}.`, field);
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(name) || /\p{Surrogate}/u.test(name)) {
    throw badName(`${field} holds control characters or is no text.`, field);
  }
  return name;
}

function checkKeys(field: string, value: TableNames | undefined): void {
  if (value === undefined) return;
  if (typeof value !== "object" || value === null) {
    throw badName(`${field} is a ${typeof value}; it is { task?, group? }.`, field);
  }
  const unknown = Object.keys(value).find((key) => key !== "task" && key !== "group");
  if (unknown !== undefined) {
    throw badName(`${field} has a field ${unknown}; it has task and group.`, field);
  }
}

function badName(message: string, field: string): ResultsError {
  return new ResultsError("bad-table-name", message, { facts: { field } });
}
