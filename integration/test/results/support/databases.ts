import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type DatabaseServer,
  type Row,
  requirePeer,
  startMariadb,
  startPostgresql,
  temporaryFolder,
} from "@parlance/test-kit";
import Libsql from "libsql";
import type { Test } from "uvu";

/** The databases that results are kept in. */
export type Kind = "sqlite" | "postgresql" | "mariadb";

/** An empty database. */
export interface TestDatabase {
  readonly kind: Kind;
  /** For our store. */
  readonly url: string;
  /** For the real Celery, with a driver named (psycopg2 unless said, pymysql). */
  celeryUrl(driver?: string): string;
  /** A statement past both; bytes are Buffers, date-times text. */
  query(sql: string): Promise<readonly Row[]>;
}

const KINDS = ["sqlite", "postgresql", "mariadb"] as const;
const SQLITE_LIMIT_MS = 30_000;
const servers = new Map<Kind, Promise<DatabaseServer>>();

/**
 * The kinds that this machine has, beside the real Celery; what is missing is a skip in the report.
 * Servers are started when first needed and stopped after the file's tests.
 */
export function kindsHere<T>(test: Test<T>, label: string, among: readonly Kind[] = KINDS): Kind[] {
  test.after(stopServers);
  if (requirePeer(test, label, "celery-5.7.0") === undefined) return [];
  return among.filter(
    (kind) => kind === "sqlite" || requirePeer(test, `${label}: ${kind}`, kind) !== undefined,
  );
}

/** A database of its own. */
export async function newDatabase(kind: Kind): Promise<TestDatabase> {
  if (kind === "sqlite") return sqliteDatabase(join(temporaryFolder("parlance-results"), "r.db"));
  const server = await serverOf(kind);
  const name = await server.createDatabase();
  return {
    kind,
    url: server.url(name),
    celeryUrl: (driver) => server.celeryUrl(name, driver),
    query: (sql) => server.query(name, sql),
  };
}

/** The server of this file's databases. */
export async function serverOf(kind: "postgresql" | "mariadb"): Promise<DatabaseServer> {
  let server = servers.get(kind);
  if (server === undefined) {
    server = kind === "postgresql" ? startPostgresql() : startMariadb();
    servers.set(kind, server);
  }
  return await server;
}

function sqliteDatabase(file: string): TestDatabase {
  const url = `db+sqlite:///${file}`;
  return {
    kind: "sqlite",
    url,
    celeryUrl: () => url,
    async query(sql) {
      const deadline = Date.now() + SQLITE_LIMIT_MS;
      for (;;) {
        try {
          return querySqlite(file, sql);
        } catch (error) {
          // Writers that take turns can starve a reader.
          const isLocked = (error as { readonly code?: string }).code === "SQLITE_BUSY";
          if (!isLocked || Date.now() > deadline) throw error;
        }
        await sleep(20);
      }
    },
  };
}

function querySqlite(file: string, sql: string): Row[] {
  const database = new Libsql(file, { timeout: 1_000 });
  try {
    const statement = database.prepare(sql);
    if (statement.reader) return (statement.all() as Row[]).map(withBuffers);
    statement.run();
    return [];
  } finally {
    database.close();
  }
}

function withBuffers(row: Row): Row {
  const { _metadata, ...columns } = row; // libsql's own
  return Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [
      name,
      value instanceof ArrayBuffer ? Buffer.from(value) : value,
    ]),
  );
}

async function stopServers(): Promise<void> {
  for (const server of servers.values()) await (await server).stop();
  servers.clear();
}
