import {
  addColumn,
  createIndex,
  createSequence,
  DATE_DONE_INDEXES,
  type DdlDialect,
  hasSequence,
  LARGE_COLUMNS,
  nullableColumns,
  otherIndexName,
  SEQUENCES,
  tableStatements,
  widenColumns,
} from "./ddl.ts";
import type { ResultTableNames, TableRole } from "./table-names.ts";
import type { SchemaFacts } from "./tables.ts";

/** Something that the tables lack. */
export interface SchemaChange {
  readonly kind: "table" | "sequence" | "column" | "index" | "large-values";
  readonly role: TableRole;
  /** The table. */
  readonly table: string;
  /** The column, index or sequence; the table again for `table`. */
  readonly name: string;
  /** The statements that help, in order. */
  readonly statements: readonly string[];
}

/** `LONGBLOB` columns only where they are asked for: a server copies the table for it. */
export interface PlanOptions {
  readonly largeValues: boolean;
}

const ROLES: readonly TableRole[] = ["task", "group"];

/** What is missing, in the order in which Celery would make it. */
export function planChanges(
  dialect: DdlDialect,
  names: ResultTableNames,
  facts: SchemaFacts,
  { largeValues }: PlanOptions,
): SchemaChange[] {
  return ROLES.flatMap((role) => planTable(dialect, role, names, facts, largeValues));
}

function planTable(
  dialect: DdlDialect,
  role: TableRole,
  names: ResultTableNames,
  facts: SchemaFacts,
  largeValues: boolean,
): SchemaChange[] {
  const table = names[role];
  const known = facts[role];
  const change = (kind: SchemaChange["kind"], name: string, ...statements: string[]) => ({
    kind,
    role,
    table: table.name,
    name,
    statements,
  });
  const indexName = known.indexNameTaken ? otherIndexName(table) : DATE_DONE_INDEXES[role];
  const widened = LARGE_COLUMNS[role];
  if (!known.exists) {
    const statements = tableStatements(dialect, role, names, indexName).filter(
      // A sequence that is left from a dropped table goes on counting.
      (statement) => known.nextId === null || !statement.startsWith("CREATE SEQUENCE"),
    );
    const isSmall = largeValues && isMysql(dialect);
    const widening = isSmall ? [widenColumns(dialect, table, widened)] : [];
    return [change("table", table.name, ...statements, ...widening)];
  }
  const changes: SchemaChange[] = [];
  if (known.needsSequence && hasSequence(dialect)) {
    const sequence = createSequence(dialect, role, table);
    changes.push(change("sequence", SEQUENCES[role], sequence));
  }
  for (const column of nullableColumns(role)) {
    if (!known.columns.has(column)) {
      changes.push(change("column", column, addColumn(dialect, table, column)));
    }
  }
  if (!known.hasDateDoneIndex) {
    changes.push(change("index", indexName, createIndex(dialect, role, table, indexName)));
  }
  const small = widened.filter(
    (column) => known.maxBytes.has(column) || !known.columns.has(column),
  );
  if (largeValues && isMysql(dialect) && small.length > 0) {
    changes.push(change("large-values", small.join(", "), widenColumns(dialect, table, small)));
  }
  return changes;
}

function isMysql(dialect: DdlDialect): boolean {
  return dialect === "mysql" || dialect === "mariadb";
}
