import { exactJsonText, parseExactJson } from "./exact-json.ts";
import {
  type HitlResponse,
  type HitlStore,
  requestedDetail,
  type StoredHitlDetail,
} from "./hitl-store.ts";
import { checkKeys } from "./series.ts";
import { asBytes, type SqliteDatabase, type SqlRow } from "./sqlite-database.ts";

const SELECT = `SELECT ${asBytes("fields")} FROM hitl_detail`;
/** The place in the order of asking stays. */
const PUT = `INSERT INTO hitl_detail (ti_id, pending, fields) VALUES (?, ?, ?)
  ON CONFLICT (ti_id) DO UPDATE SET pending = excluded.pending, fields = excluded.fields`;

/** Questions to people, in SQLite. */
export class SqliteHitl implements HitlStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async get(tiId: string): Promise<StoredHitlDetail | undefined> {
    const row = await this.#database.first(`${SELECT} WHERE ti_id = ?`, [tiId]);
    return row && this.#read(row);
  }

  async request(
    detail: Omit<StoredHitlDetail, "response">,
    { refresh = false }: { readonly refresh?: boolean } = {},
  ): Promise<StoredHitlDetail> {
    checkKeys("hitl.request", [detail.tiId]);
    return await this.#database.transaction((statements) => {
      const row = statements.first(`${SELECT} WHERE ti_id = ?`, [detail.tiId]);
      const kept = requestedDetail(row && this.#read(row), detail, refresh);
      statements.run(PUT, [kept.tiId, 1, exactJsonText(kept)]);
      return kept;
    });
  }

  async respond(tiId: string, response: HitlResponse): Promise<boolean> {
    return await this.#database.transaction((statements) => {
      const row = statements.first(`${SELECT} WHERE ti_id = ? AND pending = 1`, [tiId]);
      if (row === undefined) return false;
      statements.run(PUT, [tiId, 0, exactJsonText({ ...this.#read(row), response })]);
      return true;
    });
  }

  async list({ pending }: { readonly pending?: boolean } = {}): Promise<StoredHitlDetail[]> {
    const wanted = pending === undefined ? null : Number(pending);
    const rows = await this.#database.all(
      `${SELECT} WHERE ? IS NULL OR pending = ? ORDER BY asked`,
      [wanted, wanted],
    );
    return rows.map((row) => this.#read(row));
  }

  #read(row: SqlRow): StoredHitlDetail {
    return this.#database.readJson(row["fields"], parseExactJson) as StoredHitlDetail;
  }
}
