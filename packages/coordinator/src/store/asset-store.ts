import type { TaskInstanceRef } from "./task-store.ts";

/** What an asset is known by. */
export interface AssetKey {
  readonly name: string;
  readonly uri: string;
}

type Extra = { readonly [key: string]: unknown };

/** An asset as a store keeps it. */
export interface StoredAsset extends AssetKey {
  readonly group: string;
  readonly extra: Extra;
  /** False for one that no Dag names any longer: only who gives name and URI finds its events. */
  readonly active: boolean;
  /** The aliases that lead to it, in code point order. */
  readonly aliases: readonly string[];
}

/** A change of an asset to be recorded. */
export interface NewAssetEvent extends AssetKey {
  /** ISO 8601 text with a zone. */
  readonly timestamp: string;
  readonly extra: Extra;
  /** The aliases it was emitted for; they lead to the asset from now on. */
  readonly aliases: readonly string[];
  readonly partitionKey: string | null;
  /** Who changed it. */
  readonly source: TaskInstanceRef | null;
  /** `extra` of the asset, where it has to be made. */
  readonly assetExtra?: Extra;
}

/** A change of an asset as a store keeps it. */
export interface StoredAssetEvent extends Omit<NewAssetEvent, "assetExtra"> {
  /** From 1, in order of recording. */
  readonly id: number;
}

/** Which events to look for: those of an asset or those of an alias. */
export interface AssetEventFilter {
  /** With `uri` that one asset; alone any active asset of that name. */
  readonly name?: string;
  readonly uri?: string;
  readonly alias?: string;
  /** ISO 8601; events of that very moment are within. */
  readonly after?: string;
  readonly before?: string;
  readonly partitionKey?: string;
  /** Default true: the oldest first. */
  readonly ascending?: boolean;
}

/** Assets, the aliases that lead to them, and what happened to them. */
export interface AssetStore {
  /** Also one that is not active. */
  get(key: AssetKey): Promise<StoredAsset | undefined>;
  /** An active one, by its name or its URI. */
  find(by: { readonly name: string } | { readonly uri: string }): Promise<StoredAsset | undefined>;
  /** Every asset an alias leads to, by name and URI. */
  byAlias(alias: string): Promise<StoredAsset[]>;
  /** By name and URI, in code point order. */
  list(): Promise<StoredAsset[]>;
  /** Writes over an older one, its aliases included. */
  set(asset: StoredAsset): Promise<void>;
  /** All of them or none. An asset that is not there is made, active and in the group `asset`. */
  record(events: readonly NewAssetEvent[]): Promise<void>;
  /** By moment, then by id. */
  events(filter: AssetEventFilter): Promise<StoredAssetEvent[]>;
}

/** The asset that an event makes where there is none. */
export function assetOfEvent(event: NewAssetEvent): StoredAsset {
  const { name, uri, assetExtra = {}, aliases } = event;
  return { name, uri, group: "asset", extra: assetExtra, active: true, aliases: [...aliases] };
}
