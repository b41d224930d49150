import {
  type AssetEventFilter,
  type AssetKey,
  type AssetStore,
  assetOfEvent,
  type NewAssetEvent,
  type StoredAsset,
  type StoredAssetEvent,
} from "./asset-store.ts";
import { byParts, MemoryTable } from "./memory-table.ts";
import { momentKey, optionalMomentKey } from "./moments.ts";
import { byCodePoint, checkKeys } from "./series.ts";

/** Assets and their events, in memory. */
export class MemoryAssets implements AssetStore {
  readonly #assets = new MemoryTable<StoredAsset>();
  readonly #events = new MemoryTable<StoredAssetEvent>();
  #lastId = 0;

  async get({ name, uri }: AssetKey): Promise<StoredAsset | undefined> {
    return this.#assets.get([name, uri]);
  }

  async find(by: Partial<AssetKey>): Promise<StoredAsset | undefined> {
    return (await this.list()).find(
      (asset) =>
        asset.active && (by.name === undefined ? asset.uri === by.uri : asset.name === by.name),
    );
  }

  async byAlias(alias: string): Promise<StoredAsset[]> {
    return (await this.list()).filter(({ aliases }) => aliases.includes(alias));
  }

  async list(): Promise<StoredAsset[]> {
    return this.#assets.rows().sort(byParts(({ name, uri }) => [name, uri]));
  }

  async set(asset: StoredAsset): Promise<void> {
    checkKeys("assets.set", [asset.name, asset.uri, ...asset.aliases]);
    const aliases = [...new Set(asset.aliases)].sort(byCodePoint);
    this.#assets.set([asset.name, asset.uri], { ...asset, aliases });
  }

  async record(events: readonly NewAssetEvent[]): Promise<void> {
    for (const { name, uri, timestamp, aliases } of events) {
      checkKeys("assets.record", [name, uri, ...aliases]);
      momentKey(timestamp);
    }
    for (const event of events) {
      const { assetExtra: _, ...kept } = event;
      const asset = this.#assets.get([event.name, event.uri]) ?? assetOfEvent(event);
      await this.set({ ...asset, aliases: [...asset.aliases, ...event.aliases] });
      this.#lastId += 1;
      this.#events.set([this.#lastId], { ...kept, id: this.#lastId });
    }
  }

  async events(filter: AssetEventFilter): Promise<StoredAssetEvent[]> {
    const after = optionalMomentKey(filter.after);
    const before = optionalMomentKey(filter.before);
    const found = this.#events.rows().filter((event) => {
      const moment = momentKey(event.timestamp);
      return (
        this.#concerns(event, filter) &&
        (after === null || moment >= after) &&
        (before === null || moment <= before) &&
        (filter.partitionKey === undefined || filter.partitionKey === event.partitionKey)
      );
    });
    found.sort(byParts(({ timestamp, id }) => [momentKey(timestamp), id]));
    return filter.ascending === false ? found.reverse() : found;
  }

  #concerns(event: StoredAssetEvent, { name, uri, alias }: AssetEventFilter): boolean {
    if (alias !== undefined && !event.aliases.includes(alias)) return false;
    if (name !== undefined && name !== event.name) return false;
    if (uri !== undefined && uri !== event.uri) return false;
    if ((name === undefined) === (uri === undefined)) return true;
    return this.#assets.get([event.name, event.uri])?.active === true;
  }
}
