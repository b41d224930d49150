import { InvalidRequestError } from "../../errors.ts";
import { checkJsonValue } from "../../values/encode-value.ts";
import type { AssetRef, EmitOptions } from "../api/assets.ts";
import type { JsonValue } from "../xcom-value.ts";

/** An asset that is known by both its name and its URI. */
interface KnownAsset {
  readonly name: string;
  readonly uri: string;
  /** The asset's own extra, for one that an alias makes. */
  readonly assetExtra: { readonly [key: string]: JsonValue };
}

/** As the report of success carries it. */
type WireEvent = { readonly [field: string]: unknown };

/** The longest key that Airflow's database takes. */
const MAX_PARTITION_KEY = 250;

/** The events that a task has emitted so far. They reach Airflow with the report of its success. */
export class OutletEvents {
  readonly #outlets = new Map<string, WireEvent>();
  readonly #events: WireEvent[] = [];

  /** Adds one event; the arguments were checked by {@link checkEmission}. */
  add({ name, uri, assetExtra }: KnownAsset, options: EmitOptions): void {
    const { extra = {}, alias, partitionKey } = options;
    const dest_asset_key = { name, uri };
    if (alias === undefined) {
      this.declare({ name, uri });
      const partition = partitionKey === undefined ? {} : { partition_key: partitionKey };
      this.#events.push({ dest_asset_key, extra, ...partition });
    } else {
      this.#outlets.set(`alias ${alias}`, { name: alias, uri: null, type: "AssetAlias" });
      const dest_asset_extra = assetExtra;
      this.#events.push({ source_alias_name: alias, dest_asset_key, dest_asset_extra, extra });
    }
  }

  /** Says that the task has written an asset: it gets an event, also when none was added. */
  readonly declare = ({ name, uri }: Pick<KnownAsset, "name" | "uri">): void => {
    this.#outlets.set(`asset ${name} ${uri}`, { name, uri, type: "Asset" });
  };

  /** Fields of `SucceedTask`. The lists must be there: left out Airflow's API refuses them. */
  toFields(): {
    readonly task_outlets: readonly WireEvent[];
    readonly outlet_events: readonly WireEvent[];
  } {
    return { task_outlets: [...this.#outlets.values()], outlet_events: [...this.#events] };
  }
}

/** @throws InvalidRequestError `invalid-request` when it names no asset */
export function checkAssetRef(asset: AssetRef, call: string): void {
  const { name, uri } = (asset ?? {}) as { readonly name?: unknown; readonly uri?: unknown };
  const isText = (value: unknown) => typeof value === "string" && value !== "";
  if ([name, uri].every((value) => value === undefined || isText(value)) && (name ?? uri)) return;
  const message = `${call} got no asset, expected { name, uri }, { name } or { uri } of texts that are not empty`;
  throw new InvalidRequestError("invalid-request", "", message);
}

/** Refuses what Airflow would only refuse when the task's success is reported. */
export function checkEmission(asset: AssetRef, options: EmitOptions): void {
  checkAssetRef(asset, "assets.emit");
  const { extra = {}, alias, partitionKey } = options;
  const refuse = (path: string, problem: string): never => {
    throw new InvalidRequestError("invalid-request", path, `assets.emit: ${problem}`);
  };
  if (typeof extra !== "object" || extra === null || Array.isArray(extra)) {
    refuse("/extra", "extra is no object");
  }
  checkJsonValue(extra, "assets.emit: extra");
  if (alias !== undefined && (typeof alias !== "string" || alias === "")) {
    refuse("/alias", "alias is no text, or empty");
  }
  if (partitionKey === undefined) return;
  if (alias !== undefined) refuse("/partitionKey", "an event through an alias has no partition");
  if (
    typeof partitionKey !== "string" ||
    partitionKey.trim() === "" ||
    Array.from(partitionKey).length > MAX_PARTITION_KEY
  ) {
    refuse("/partitionKey", `partitionKey is no text of 1 to ${MAX_PARTITION_KEY} characters`);
  }
}
