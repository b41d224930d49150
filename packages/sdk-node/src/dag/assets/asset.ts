import type { Asset } from "../../client/api/assets.ts";
import type { JsonMap } from "../../client/api/json.ts";
import type { JsonValue } from "../../client/xcom-value.ts";
import { RegistrationError } from "../../errors.ts";
import { kindOf } from "../../outcomes/check-arguments.ts";
import { checkJsonValue } from "../../values/encode-value.ts";
import type { AssetCondition } from "../dag-model.ts";
import { normaliseAssetUri } from "./asset-uri.ts";

/** What names an asset. */
export interface AssetOptions {
  /** @default the URI */
  readonly name?: string | undefined;
  /** Written as Airflow writes it: without a slash at the end, for example. @default the name */
  readonly uri?: string | undefined;
  /** @default "asset" */
  readonly group?: string | undefined;
  /** JSON that stays with the asset. @default {} */
  readonly extra?: JsonMap | undefined;
}

/** Airflow's limit of names, URIs and groups, in characters. */
const MAX_CHARACTERS = 1500;

/** Assets of which some or all must have had an event before a Dag is run. */
export class AssetExpression {
  readonly condition: AssetCondition;

  constructor(condition: AssetCondition) {
    this.condition = condition;
  }

  /** Both must have had an event since the last run: Python's `&`. */
  and(other: AssetExpression): AssetExpression {
    return new AssetExpression(combine("all", this, other));
  }

  /** One of them must have had an event: Python's `|`. */
  or(other: AssetExpression): AssetExpression {
    return new AssetExpression(combine("any", this, other));
  }
}

/** An asset of a Dag; made by {@link asset}. */
export class DagAsset extends AssetExpression implements Asset {
  readonly name: string;
  readonly uri: string;
  readonly group: string;
  readonly extra: { readonly [key: string]: JsonValue };

  /** @internal */
  constructor(facts: Asset) {
    super({ kind: "asset", asset: Object.freeze({ ...facts }) });
    this.name = facts.name;
    this.uri = facts.uri;
    this.group = facts.group;
    this.extra = facts.extra;
  }
}

/**
 * An asset: what a task reads (`inlets`) or writes (`outlets`), or what a Dag waits for (`schedule`).
 *
 *     const orders = asset({ name: "orders", uri: "s3://shop/orders" });
 *     dag("report", { schedule: orders.and(rates) })
 *
 * @throws RegistrationError `bad-option`
 */
export function asset(options: AssetOptions | string): DagAsset {
  const given = typeof options === "string" ? { name: options } : options;
  if (typeof given !== "object" || given === null) refuse("it", given, "{ name, uri } or a name");
  const { name, uri, group = "asset", extra = {} } = given;
  const known = name ?? uri;
  if (known === undefined) refuse("name", undefined, "a name or a URI");
  checkText("name", name ?? known);
  checkText("uri", uri ?? known);
  checkText("group", group);
  if (["self", "context"].includes(name ?? known)) {
    refuse("name", name ?? known, "another one: Airflow keeps it for itself");
  }
  if (/^airflow:/i.test(uri ?? known)) {
    refuse("uri", uri ?? known, "another scheme: airflow: is reserved");
  }
  if (typeof extra !== "object" || extra === null || Array.isArray(extra)) {
    refuse("extra", extra, "a map");
  }
  try {
    checkJsonValue(extra, "asset(…): extra");
  } catch (error) {
    throw new RegistrationError("bad-option", (error as Error).message);
  }
  return new DagAsset({
    name: name ?? known,
    uri: normaliseAssetUri(uri ?? known),
    group,
    extra: { ...extra } as DagAsset["extra"],
  });
}

/** Airflow nests no condition in one of its own kind: `a & b & c` is one list. */
function combine(kind: "any" | "all", ...both: readonly AssetExpression[]): AssetCondition {
  const of = both.flatMap((each) => {
    if (!(each instanceof AssetExpression)) {
      const call = kind === "all" ? ".and(…)" : ".or(…)";
      const message = `asset${call} got ${kindOf(each)}, expected an asset(…) or assets joined with .and and .or`;
      throw new RegistrationError("bad-option", message);
    }
    const { condition } = each;
    return condition.kind === kind ? condition.of : [condition];
  });
  return { kind, of };
}

function checkText(what: string, value: unknown): void {
  if (typeof value !== "string" || value.trim() === "" || value.length > MAX_CHARACTERS) {
    refuse(what, value, `text of 1 to ${MAX_CHARACTERS} characters`);
  }
}

function refuse(what: string, value: unknown, expected: string): never {
  const message = `asset(…): ${what} is ${kindOf(value)}, expected ${expected}`;
  throw new RegistrationError("bad-option", message);
}
