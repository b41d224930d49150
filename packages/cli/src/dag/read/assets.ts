import { call, named, type Py } from "../python/expression.ts";
import { isMap, listOf, mapOf, textsOf } from "./json.ts";
import { UnwritableError } from "./unwritable-error.ts";
import { pythonValue, text } from "./value.ts";

/** An asset of a serialised Dag, whether wrapped (of a task) or flat (of a schedule), as Python. */
export function asset(value: unknown): Py {
  const outer = mapOf(value);
  const inner = isMap(outer["__var"]) ? outer["__var"] : outer;
  const { name, uri, group, extra } = inner as { [key: string]: unknown };
  switch (outer["__type"]) {
    case "asset": {
      if (hasContent(inner["watchers"])) throw new UnwritableError("an asset with watchers");
      if (hasContent(inner["access_control"]))
        throw new UnwritableError("an asset of certain teams");
      const shown = typeof name === "string" ? name : uri;
      return call(
        "Asset",
        ...(uri === shown ? [textOf(shown)] : []),
        ...named([
          ["name", uri === shown ? undefined : textOf(shown)],
          ["uri", uri === shown ? undefined : textOf(uri)],
          ["group", group === undefined || group === "asset" ? undefined : textOf(group)],
          ["extra", hasContent(extra) ? pythonValue(extra) : undefined],
        ]),
      );
    }
    case "asset_alias":
      return call(
        "AssetAlias",
        textOf(name),
        ...named([["group", group === undefined || group === "asset" ? undefined : textOf(group)]]),
      );
    case "asset_ref":
      return typeof name === "string"
        ? call("Asset.ref", ["name", textOf(name)])
        : call("Asset.ref", ["uri", textOf(uri)]);
    default:
      throw new UnwritableError("something among its assets that is none");
  }
}

/** What has to be updated for a run to start, as Python: with `&` and `|` where that fits on a line. */
export function assetCondition(value: unknown): Py {
  const type = mapOf(value)["__type"];
  if (type !== "asset_all" && type !== "asset_any") return asset(value);
  const operands = listOf(mapOf(value)["objects"]).map(assetCondition);
  const long = call(type === "asset_all" ? "AssetAll" : "AssetAny", ...operands);
  const operator = type === "asset_all" ? "&" : "|";
  const [first] = operands;
  // `a & b & c` is one condition of three: what is nested in the first place has to be said in full.
  const isSame = typeof first === "object" && "operands" in first && first.operator === operator;
  const isCalled = operands.some((each) => typeof each === "object" && isCondition(each));
  return operands.length < 2 || isSame || isCalled ? long : { operator, operands, long };
}

function isCondition(py: Exclude<Py, string>): boolean {
  return "callee" in py && (py.callee === "AssetAll" || py.callee === "AssetAny");
}

function hasContent(value: unknown): boolean {
  return isMap(value)
    ? Object.keys(value).length > 0
    : textsOf(value).length > 0 || listOf(value).length > 0;
}

function textOf(value: unknown): Py {
  if (typeof value !== "string") throw new UnwritableError("an asset without a name");
  return text(value);
}
