import { isMap } from "./reader.ts";

/** A timetable for people; nothing is scheduled by it. Null for none. */
export function scheduleText(timetable: unknown): string | null {
  if (!isMap(timetable)) return null;
  const type = String(timetable["__type"]).split(".").at(-1) ?? "";
  const facts = isMap(timetable["__var"]) ? timetable["__var"] : {};
  if (type === "NullTimetable") return null;
  if (type === "OnceTimetable") return "@once";
  if (type === "ContinuousTimetable") return "@continuous";
  if (typeof facts["expression"] === "string")
    return PRESETS.get(facts["expression"]) ?? facts["expression"];
  if (typeof facts["delta"] === "number") return `every ${facts["delta"]} s`;
  if (facts["asset_condition"] !== undefined) return assetText(facts["asset_condition"]);
  return type;
}

const PRESETS = new Map([
  ["0 * * * *", "@hourly"],
  ["0 0 * * *", "@daily"],
  ["0 0 * * 0", "@weekly"],
  ["0 0 1 * *", "@monthly"],
  ["0 0 1 */3 *", "@quarterly"],
  ["0 0 1 1 *", "@yearly"],
]);

function assetText(condition: unknown): string {
  if (!isMap(condition)) return "assets";
  const objects = Array.isArray(condition["objects"]) ? condition["objects"].map(assetText) : [];
  if (condition["__type"] === "asset_any") return `(${objects.join(" or ")})`;
  if (condition["__type"] === "asset_all") return objects.join(" and ");
  return `asset ${JSON.stringify(condition["name"] ?? condition["uri"] ?? "")}`;
}
