import {
  type AssetEventFilter,
  type AssetKey,
  type AssetStore,
  assetOfEvent,
  type NewAssetEvent,
  type StoredAsset,
  type StoredAssetEvent,
} from "./asset-store.ts";
import { exactJsonText, parseExactJson } from "./exact-json.ts";
import { momentKey, optionalMomentKey } from "./moments.ts";
import { byCodePoint, checkKeys } from "./series.ts";
import {
  asBytes,
  type SqliteDatabase,
  type SqlRow,
  type SqlTransaction,
  type SqlValue,
} from "./sqlite-database.ts";

const SELECT = `SELECT ${asBytes("fields")} FROM asset`;
const BY_KEY = `${SELECT} WHERE name = ? AND uri = ?`;
const IS_ACTIVE = `EXISTS (SELECT 1 FROM asset a
  WHERE a.name = asset_event.name AND a.uri = asset_event.uri AND a.active = 1)`;

/** Assets and their events, in SQLite. */
export class SqliteAssets implements AssetStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async get({ name, uri }: AssetKey): Promise<StoredAsset | undefined> {
    return (await this.#assets(BY_KEY, [name, uri]))[0];
  }

  async find(by: Partial<AssetKey>): Promise<StoredAsset | undefined> {
    const column = by.name === undefined ? "uri" : "name";
    const found = await this.#assets(
      `${SELECT} WHERE ${column} = ? AND active = 1 ORDER BY name, uri LIMIT 1`,
      [by.name ?? by.uri ?? null],
    );
    return found[0];
  }

  async byAlias(alias: string): Promise<StoredAsset[]> {
    return await this.#assets(
      `${SELECT} WHERE (name, uri) IN (SELECT name, uri FROM asset_alias WHERE alias = ?)
       ORDER BY name, uri`,
      [alias],
    );
  }

  async list(): Promise<StoredAsset[]> {
    return await this.#assets(`${SELECT} ORDER BY name, uri`, []);
  }

  async set(asset: StoredAsset): Promise<void> {
    checkKeys("assets.set", [asset.name, asset.uri, ...asset.aliases]);
    await this.#database.transaction((statements) => put(statements, asset));
  }

  async record(events: readonly NewAssetEvent[]): Promise<void> {
    for (const { name, uri, aliases } of events) {
      checkKeys("assets.record", [name, uri, ...aliases]);
    }
    if (events.length === 0) return;
    await this.#database.transaction((statements) => {
      for (const event of events) this.#recordOne(statements, event);
    });
  }

  async events(filter: AssetEventFilter): Promise<StoredAssetEvent[]> {
    const { name, uri, alias, partitionKey } = filter;
    const [after, before] = [optionalMomentKey(filter.after), optionalMomentKey(filter.before)];
    const order = filter.ascending === false ? "DESC" : "ASC";
    // An inactive asset's events are found by name and URI together, or by an alias.
    const active = (name === undefined) === (uri === undefined) ? "1" : IS_ACTIVE;
    const rows = await this.#database.all(
      `SELECT id, ${asBytes("fields")} FROM asset_event
       WHERE (? IS NULL OR name = ?) AND (? IS NULL OR uri = ?)
         AND (? IS NULL OR id IN (SELECT event_id FROM asset_event_alias WHERE alias = ?))
         AND (? IS NULL OR moment >= ?) AND (? IS NULL OR moment <= ?) AND ${active}
       ORDER BY moment ${order}, id ${order}`,
      [name, uri, alias, after, before].flatMap((value) => [value ?? null, value ?? null]),
    );
    return rows
      .map((row) => this.#readEvent(row))
      .filter((event) => partitionKey === undefined || event.partitionKey === partitionKey);
  }

  #recordOne(statements: SqlTransaction, event: NewAssetEvent): void {
    const { name, uri, assetExtra: _, ...fields } = event;
    const [row] = statements.all(BY_KEY, [name, uri]);
    const asset = row === undefined ? assetOfEvent(event) : this.#read(row);
    put(statements, { ...asset, aliases: [...asset.aliases, ...event.aliases] });
    statements.run("INSERT INTO asset_event (name, uri, moment, fields) VALUES (?, ?, ?, ?)", [
      ...[name, uri, momentKey(event.timestamp)],
      exactJsonText({ name, uri, ...fields }),
    ]);
    const [id] = statements.all("SELECT max(id) AS id FROM asset_event");
    for (const alias of new Set(event.aliases)) {
      statements.run("INSERT INTO asset_event_alias VALUES (?, ?)", [alias, id?.["id"] ?? null]);
    }
  }

  async #assets(sql: string, values: readonly SqlValue[]): Promise<StoredAsset[]> {
    return (await this.#database.all(sql, values)).map((row) => this.#read(row));
  }

  #read(row: SqlRow): StoredAsset {
    return this.#database.readJson(row["fields"], parseExactJson) as StoredAsset;
  }

  #readEvent(row: SqlRow): StoredAssetEvent {
    const fields = this.#database.readJson(row["fields"], parseExactJson) as StoredAssetEvent;
    return { ...fields, id: Number(row["id"]) };
  }
}

function put(statements: SqlTransaction, asset: StoredAsset): void {
  const { name, uri, active } = asset;
  const aliases = [...new Set(asset.aliases)].sort(byCodePoint);
  statements.run("INSERT OR REPLACE INTO asset VALUES (?, ?, ?, ?)", [
    ...[name, uri, Number(active)],
    exactJsonText({ ...asset, aliases }),
  ]);
  statements.run("DELETE FROM asset_alias WHERE name = ? AND uri = ?", [name, uri]);
  for (const alias of aliases) {
    statements.run("INSERT INTO asset_alias VALUES (?, ?, ?)", [alias, name, uri]);
  }
}
