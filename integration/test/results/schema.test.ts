import { openResultStore, type ResultStore, type ResultStoreOptions } from "@parlance/results";
import {
  type CeleryOptions,
  type CeleryPeer,
  type CelerySchema,
  startCeleryPeer,
} from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { kindsHere, newDatabase, type TestDatabase } from "./support/databases.ts";

// Tables that we make are those that Celery makes, as SQLAlchemy sees them; each side works on the
// other's.

const NAMES = { task: "jobs", group: "job_groups" };

for (const kind of kindsHere(test, "the tables of the real Celery")) {
  test(`${kind}: our tables are Celery's, and it works on them`, async () => {
    await sameTables(await newDatabase(kind), await newDatabase(kind));
  });

  test(`${kind}: so are renamed ones`, async () => {
    const [ours, theirs] = [await newDatabase(kind), await newDatabase(kind)];
    await sameTables(ours, theirs, { tableNames: NAMES }, { tables: NAMES });
  });

  test(`${kind}: old tables get the same columns and indexes from either`, async () => {
    const [ours, theirs] = [await newDatabase(kind), await newDatabase(kind)];
    for (const database of [ours, theirs]) await makeOldTables(database);
    const store = await openResultStore(ours.url, { extended: true });
    const [onOurs, onTheirs] = [await startPeer(ours), await startPeer(theirs)];
    const [a, b] = [await onOurs.schema(), await onTheirs.schema()];
    // Celery adds no index to a table that is there; we do.
    assert.equal(columns(a), columns(b));
    const storeOnTheirs = await openResultStore(theirs.url, { extended: true });
    assert.equal(sorted(await onTheirs.schema()), sorted(a));
    await byTurns(store, onOurs);
    await byTurns(storeOnTheirs, onTheirs);
  });
}

for (const kind of kindsHere(test, "schemas with the real Celery", ["postgresql"])) {
  test(`${kind}: tables and sequences in schemas are Celery's too`, async () => {
    const [ours, theirs] = [await newDatabase(kind), await newDatabase(kind)];
    const schemas = { task: "celery_a", group: "celery_b" };
    for (const database of [ours, theirs]) {
      for (const schema of Object.values(schemas)) await database.query(`CREATE SCHEMA ${schema}`);
    }
    await sameTables(
      ours,
      theirs,
      { tableSchemas: schemas, tableNames: NAMES },
      { schemas, tables: NAMES },
    );
  });
}

async function sameTables(
  ours: TestDatabase,
  theirs: TestDatabase,
  ourOptions: ResultStoreOptions = {},
  celeryOptions: CeleryOptions = {},
): Promise<void> {
  const store = await openResultStore(ours.url, { extended: true, ...ourOptions });
  const onOurs = await startPeer(ours, celeryOptions);
  const onTheirs = await startPeer(theirs, celeryOptions);
  assert.equal(sorted(await onOurs.schema()), sorted(await onTheirs.schema()));
  const storeOnTheirs = await openResultStore(theirs.url, { extended: true, ...ourOptions });
  await byTurns(store, onOurs);
  await byTurns(storeOnTheirs, onTheirs);
}

function startPeer(database: TestDatabase, options: CeleryOptions = {}): Promise<CeleryPeer> {
  return startCeleryPeer(database.celeryUrl(), { extended: true, ...options });
}

/** Both write rows by turns, the ids come out as one row of numbers, and both read all. Closes both. */
async function byTurns(store: ResultStore, celery: CeleryPeer): Promise<void> {
  for (let i = 0; i < 6; i++) {
    const request = { task: "t", args: [i], kwargs: {}, hostname: "w", retries: 0 };
    if (i % 2 === 0) await celery.mustWrite({ id: `r${i}`, result: i, request });
    else await store.store(`r${i}`, { state: "SUCCESS", result: i, request });
  }
  for (let i = 0; i < 6; i++) {
    assert.is((await store.get(`r${i}`)).result, i);
    const { result, name, args } = await celery.readTask(`r${i}`);
    assert.equal([result, name, args], [i, "t", [i]]);
  }
  const { task } = await celery.dump();
  assert.equal(
    task.map(({ id }) => id),
    [1, 2, 3, 4, 5, 6],
  );
  await Promise.all([store.close(), celery.close()]);
}

/** As before the extended columns, children, stamps and indexes. */
async function makeOldTables(database: TestDatabase): Promise<void> {
  const { kind } = database;
  const id = kind === "sqlite" ? "INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT" : "INTEGER NOT NULL";
  const key = kind === "sqlite" ? "" : ", PRIMARY KEY (id)";
  const bytes = kind === "postgresql" ? "BYTEA" : "BLOB";
  const time = kind === "postgresql" ? "TIMESTAMP" : "DATETIME";
  if (kind !== "sqlite") {
    for (const name of ["task_id", "taskset_id"])
      await database.query(`CREATE SEQUENCE ${name}_sequence`);
  }
  await database.query(
    `CREATE TABLE celery_taskmeta (id ${id}, task_id VARCHAR(155) UNIQUE, status VARCHAR(50), ` +
      `result ${bytes}, date_done ${time}, traceback TEXT${key})`,
  );
  await database.query(
    `CREATE TABLE celery_tasksetmeta (id ${id}, taskset_id VARCHAR(155) UNIQUE, result ${bytes}, ` +
      `date_done ${time}${key})`,
  );
}

/** The order in which a database lists indexes and constraints says nothing. */
function sorted({ dialect, sequences, reflected }: CelerySchema): unknown {
  const tables = Object.entries(reflected as Record<string, Record<string, unknown>>);
  return [
    dialect,
    sequences,
    tables.map(([name, { columns, pk, unique, indexes }]) => {
      return [name, columns, pk, byName(unique), byName(indexes)];
    }),
  ];
}

function columns({ reflected }: CelerySchema): unknown {
  return Object.values(reflected as Record<string, { readonly columns: unknown }>).map((table) => {
    return table.columns;
  });
}

function byName(list: unknown): unknown {
  return [...(list as { readonly name: string | null }[])].sort((a, b) => {
    return String(a.name).localeCompare(String(b.name));
  });
}

test.run();
