import { openResultStore, type ResultStore, type ResultStoreOptions } from "@parlance/results";
import type { DatabaseServer } from "@parlance/test-kit";

/** Stores on an empty database of a server. */
export interface ServerStore {
  readonly database: string;
  readonly store: ResultStore;
  /** Another store on the same tables. */
  another(options?: ResultStoreOptions): Promise<ResultStore>;
  /** Past our code. */
  query(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

export async function serverStore(
  server: DatabaseServer,
  options: ResultStoreOptions = {},
  database?: string,
): Promise<ServerStore> {
  const name = database ?? (await server.createDatabase());
  const stores: ResultStore[] = [];
  const another = async (own: ResultStoreOptions = options) => {
    const store = await openResultStore(server.url(name), own);
    stores.push(store);
    return store;
  };
  return {
    database: name,
    store: await another(),
    another,
    query: (sql, values) => server.query(name, sql, values),
    close: async () => {
      await Promise.all(stores.map((store) => store.close()));
    },
  };
}
