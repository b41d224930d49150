import { validate as validGetByName } from "@parlance/protocol/validators/2026-06-16/GetAssetByName.js";
import { validate as validGetByUri } from "@parlance/protocol/validators/2026-06-16/GetAssetByUri.js";
import { validate as validGetByAlias } from "@parlance/protocol/validators/2026-06-16/GetAssetsByAlias.js";
import { validate as validInactive } from "@parlance/protocol/validators/2026-06-16/ValidateInletsAndOutlets.js";
import { NotFoundError } from "../../errors.ts";
import type {
  Asset,
  AssetEvent,
  AssetEventFilter,
  AssetRef,
  Assets,
  EmitOptions,
} from "../api/assets.ts";
import { Answer } from "./answer.ts";
import { listAssetEvents } from "./asset-events.ts";
import { nullWhenMissing } from "./missing.ts";
import { checkAssetRef, checkEmission, type OutletEvents } from "./outlet-events.ts";
import { readAsset } from "./read-asset.ts";
import type { RequestScope } from "./request-scope.ts";

/** {@link Assets} over the comm link; what is emitted is kept for the report of success. */
export class SupervisorAssets implements Assets {
  readonly #scope: RequestScope;
  readonly #outletEvents: OutletEvents;

  constructor(scope: RequestScope, outletEvents: OutletEvents) {
    this.#scope = scope;
    this.#outletEvents = outletEvents;
  }

  async get(asset: AssetRef): Promise<Asset | null> {
    checkAssetRef(asset, "assets.get");
    const answer = await nullWhenMissing(
      asset.name === undefined
        ? this.#ask({ type: "GetAssetByUri", uri: asset.uri }, validGetByUri)
        : this.#ask({ type: "GetAssetByName", name: asset.name }, validGetByName),
    );
    return answer;
  }

  async listByAlias(alias: string): Promise<readonly Asset[]> {
    const request = { type: "GetAssetsByAlias", alias_name: alias };
    const answer = await this.#scope.requester.ask(request, validGetByAlias, "AssetsByAliasResult");
    return new Answer(request.type, answer).parts("assets").map(readAsset);
  }

  async emit(asset: AssetRef, options: EmitOptions = {}): Promise<void> {
    checkEmission(asset, options);
    const { name, uri } = asset;
    if (name !== undefined && uri !== undefined) {
      this.#outletEvents.add({ name, uri, assetExtra: {} }, options);
      return;
    }
    const known = await this.get(asset);
    if (known === null) {
      const key = name ?? uri ?? "";
      const what = name === undefined ? "URI" : "name";
      const message = `assets.emit: no Dag has an asset with the ${what} ${JSON.stringify(key)}; give both name and uri for one that is new`;
      throw new NotFoundError("asset-not-found", key, message);
    }
    this.#outletEvents.add({ ...known, assetExtra: known.extra }, options);
  }

  listEvents(
    of: AssetRef | { readonly alias: string },
    filter: AssetEventFilter = {},
  ): Promise<readonly AssetEvent[]> {
    return listAssetEvents(this.#scope, of, filter);
  }

  async listInactive(): Promise<
    readonly { readonly name: string | null; readonly uri: string | null }[]
  > {
    const { context, requester } = this.#scope;
    const request = { type: "ValidateInletsAndOutlets", ti_id: context.taskInstanceId };
    const answer = await requester.ask(request, validInactive, "InactiveAssetsResult");
    return new Answer(request.type, answer)
      .parts("inactive_assets")
      .map((asset) => ({ name: asset.textOrNull("name"), uri: asset.textOrNull("uri") }));
  }

  async #ask(
    request: { readonly type: string; readonly [field: string]: unknown },
    validate: typeof validGetByName,
  ): Promise<Asset> {
    const answer = await this.#scope.requester.ask(request, validate, "AssetResult");
    return readAsset(new Answer(request.type, answer));
  }
}
