import type { Asset } from "../api/assets.ts";
import type { Answer } from "./answer.ts";

/** An asset in the words of the public API. @throws SupervisorError `bad-answer` */
export function readAsset(asset: Answer): Asset {
  return {
    name: asset.text("name"),
    uri: asset.text("uri"),
    group: asset.text("group"),
    extra: asset.json("extra"),
  };
}
