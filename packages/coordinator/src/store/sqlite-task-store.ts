import type { SecretMasker } from "../logs/secret-masker.ts";
import type { AssetStore } from "./asset-store.ts";
import type { HitlStore } from "./hitl-store.ts";
import { SqliteAssets } from "./sqlite-assets.ts";
import { SqliteDatabase } from "./sqlite-database.ts";
import { SqliteHitl } from "./sqlite-hitl.ts";
import { SqliteConnections, SqliteVariables } from "./sqlite-rows.ts";
import { SqliteDagRuns } from "./sqlite-runs.ts";
import { prepareSchema } from "./sqlite-schema.ts";
import { SqliteTaskInstances } from "./sqlite-task-instances.ts";
import { SqliteStates, SqliteXComs } from "./sqlite-values.ts";
import { addSecrets, maskedDump, type SecretRows, type StoreDump } from "./store-dump.ts";
import type {
  ConnectionStore,
  StateStore,
  TaskStore,
  VariableStore,
  XComStore,
} from "./task-store.ts";

/** How to open a SQLite store. */
export interface SqliteTaskStoreOptions {
  /** How long to wait for another process that holds the file. Default 10,000. */
  readonly busyTimeoutMs?: number;
}

/** A store in one SQLite file. Made by {@link openSqliteTaskStore}. */
export class SqliteTaskStore implements TaskStore {
  readonly file: string;
  readonly variables: VariableStore;
  readonly connections: ConnectionStore;
  readonly xcoms: XComStore;
  readonly states: StateStore;
  readonly taskInstances: SqliteTaskInstances;
  readonly dagRuns: SqliteDagRuns;
  readonly assets: AssetStore;
  readonly hitl: HitlStore;
  readonly #database: SqliteDatabase;
  /** Everything as it is, with the secrets. */
  readonly #contents: () => Promise<StoreDump>;
  readonly #secrets: () => Promise<SecretRows>;

  /** @internal */
  constructor(database: SqliteDatabase) {
    const variables = new SqliteVariables(database);
    const connections = new SqliteConnections(database);
    const xcoms = new SqliteXComs(database);
    const states = new SqliteStates(database);
    const taskInstances = new SqliteTaskInstances(database);
    const dagRuns = new SqliteDagRuns(database);
    const assets = new SqliteAssets(database);
    const hitl = new SqliteHitl(database);
    this.#database = database;
    this.file = database.file;
    this.variables = variables;
    this.connections = connections;
    this.xcoms = xcoms;
    this.states = states;
    this.taskInstances = taskInstances;
    this.dagRuns = dagRuns;
    this.assets = assets;
    this.hitl = hitl;
    this.#secrets = async () => ({
      variables: await variables.all(),
      connections: await connections.all(),
      xcoms: [],
      states: [],
    });
    this.#contents = async () => ({
      variables: await variables.all(),
      connections: await connections.all(),
      xcoms: await xcoms.all(),
      states: await states.all(),
      dagRuns: await dagRuns.all(),
      taskInstances: await taskInstances.all(),
      taskInstanceHistory: await taskInstances.allEarlier(),
      hitlDetails: await hitl.list(),
      assets: await assets.list(),
      assetEvents: await assets.events({}),
    });
  }

  /** For what keeps tables of its own in the file. @internal */
  get database(): SqliteDatabase {
    return this.#database;
  }

  async dump(): Promise<StoreDump> {
    return maskedDump(await this.#contents());
  }

  /**
   * Teaches a masker passwords and `extra` of all connections, and the Variables with a sensitive
   * name: for who shows what tasks have left.
   */
  async teachSecrets(masker: SecretMasker): Promise<void> {
    addSecrets(await this.#secrets(), masker);
  }

  async close(): Promise<void> {
    this.#database.close();
  }
}

/**
 * Opens the store in `file`, or makes it there, for its owner alone (mode 0600).
 *
 * Several processes may use one file on one machine at once, and a process that is killed leaves it
 * whole: every write is a transaction of its own in SQLite's write-ahead log, which is kept in
 * `FILE-wal` and `FILE-shm` beside it while the store is open. A power cut may take the last writes.
 * Not for a network file system.
 *
 * @throws StoreError `store-unavailable`, `not-a-store`, `newer-store`, `store-busy`.
 */
export async function openSqliteTaskStore(
  file: string,
  options: SqliteTaskStoreOptions = {},
): Promise<SqliteTaskStore> {
  const database = await SqliteDatabase.open(file, options.busyTimeoutMs ?? 10_000);
  try {
    await database.pragma("journal_mode = WAL");
    await database.pragma("synchronous = NORMAL");
    await prepareSchema(database);
    return new SqliteTaskStore(database);
  } catch (error) {
    database.close();
    throw error;
  }
}
