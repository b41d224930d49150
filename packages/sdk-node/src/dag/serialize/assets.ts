import type { AssetCondition, AssetModel } from "../dag-model.ts";
import { type Encoded, pythonJson } from "./encode.ts";

function facts({ name, uri, group, extra }: AssetModel): { readonly [field: string]: Encoded } {
  return { name, uri, group, extra };
}

/** An asset among a task's inlets or outlets. */
export function encodeAsset(asset: AssetModel): Encoded {
  return { __var: facts(asset), __type: "asset" };
}

/** What a timetable waits for: an asset, or several as one. */
export function encodeCondition(condition: AssetCondition): Encoded {
  if (condition.kind === "asset") return { __type: "asset", ...facts(condition.asset) };
  return { __type: `asset_${condition.kind}`, objects: condition.of.map(encodeCondition) };
}

/** Whether events of more than one asset are needed for it. */
export function isOfSeveral(condition: AssetCondition): boolean {
  if (condition.kind === "asset") return false;
  return (condition.kind === "all" && condition.of.length > 1) || condition.of.some(isOfSeveral);
}

/** Every asset of a condition, in order. */
export function conditionAssets(condition: AssetCondition): readonly AssetModel[] {
  return condition.kind === "asset" ? [condition.asset] : condition.of.flatMap(conditionAssets);
}

/** How Airflow names an asset in the graph of Dags. */
export function assetKey({ name, uri }: AssetModel): string {
  return pythonJson({ name, uri });
}
