import { answer, notFound } from "../answers.ts";
import type { HandlerTable } from "../attempt.ts";

/** Questions about assets. A store knows none, so none is found and none has events. */
export const ASSET_HANDLERS: HandlerTable = {
  GetAssetByName: (body) => notFound("ASSET_NOT_FOUND", { name: body["name"] }),
  GetAssetByUri: (body) => notFound("ASSET_NOT_FOUND", { uri: body["uri"] }),
  GetAssetsByAlias: () => answer("AssetsByAliasResult", { assets: [] }),
  GetAssetEventByAsset: () => answer("AssetEventsResult", { asset_events: [] }),
  GetAssetEventByAssetAlias: () => answer("AssetEventsResult", { asset_events: [] }),
};
