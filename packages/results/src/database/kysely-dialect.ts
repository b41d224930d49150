import {
  type CompiledQuery,
  type DatabaseConnection,
  IdentifierNode,
  Kysely,
  type Dialect as KyselyDialect,
  type Driver as KyselyDriver,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type RootOperationNode,
  SchemableIdentifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  TableNode,
} from "kysely";
import type { DriverConnection, SqlValue } from "../drivers/driver.ts";
import type { ResultTableNames } from "../schema/table-names.ts";
import type { ResultTables } from "../schema/tables.ts";
import type { Dialect } from "../url/results-url.ts";
import type { ConnectionPool } from "./pool.ts";

const PARTS = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  },
  postgresql: {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  },
  mysql: {
    createAdapter: () => new MysqlAdapter(),
    createQueryCompiler: () => new MysqlQueryCompiler(),
    createIntrospector: (db: Kysely<unknown>) => new MysqlIntrospector(db),
  },
} as const;

/** Kysely over the connections of a pool, with `task` and `group` for the tables. */
export function createKysely(
  dialect: Dialect,
  pool: ConnectionPool,
  names: ResultTableNames,
): Kysely<ResultTables> {
  const renamed = new RenameTables(names);
  const kyselyDialect = { ...PARTS[dialect], createDriver: () => new PoolDriver(pool) };
  return new Kysely<ResultTables>({
    dialect: kyselyDialect as KyselyDialect,
    plugins: [
      {
        transformQuery: ({ node, queryId }: PluginTransformQueryArgs): RootOperationNode =>
          renamed.transformNode(node, queryId),
        transformResult: async ({ result }) => result,
      },
    ],
  });
}

class RenameTables extends OperationNodeTransformer {
  readonly #names: ResultTableNames;

  constructor(names: ResultTableNames) {
    super();
    this.#names = names;
  }

  protected override transformTable(node: TableNode): TableNode {
    const role = node.table.identifier.name;
    if (node.table.schema !== undefined || (role !== "task" && role !== "group")) return node;
    const { name, schema } = this.#names[role];
    return schema === undefined
      ? TableNode.create(name)
      : {
          kind: "TableNode",
          table: SchemableIdentifierNode.createWithSchema(schema, IdentifierNode.create(name).name),
        };
  }
}

class PoolDriver implements KyselyDriver {
  readonly #pool: ConnectionPool;

  constructor(pool: ConnectionPool) {
    this.#pool = pool;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PooledConnection> {
    return new PooledConnection(await this.#pool.acquire());
  }

  async beginTransaction({ own }: PooledConnection): Promise<void> {
    await own.begin();
  }

  async commitTransaction({ own }: PooledConnection): Promise<void> {
    await own.commit();
  }

  async rollbackTransaction({ own }: PooledConnection): Promise<void> {
    await own.rollback();
  }

  async releaseConnection({ own }: PooledConnection): Promise<void> {
    this.#pool.release(own);
  }

  /** The pool is the store's: it closes it. */
  async destroy(): Promise<void> {}
}

class PooledConnection implements DatabaseConnection {
  readonly own: DriverConnection;

  constructor(own: DriverConnection) {
    this.own = own;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, affectedRows } = await this.own.query(sql, parameters as readonly SqlValue[]);
    return { rows: rows as Row[], numAffectedRows: BigInt(affectedRows) };
  }

  /** In one piece: the store itself reads in pages of its own. */
  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }
}
