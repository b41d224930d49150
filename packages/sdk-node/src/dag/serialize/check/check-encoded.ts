import {
  below,
  type Check,
  isRecord,
  type JsonRecord,
  kindOf,
  listOf,
  moment,
  number,
  record,
  text,
} from "./problems.ts";

const checkAsset: Check = (value, path, tell) => {
  const { __type: type, __var: inner } = value as JsonRecord;
  const facts = isRecord(inner) ? inner : (value as JsonRecord);
  if (type === "asset_all" || type === "asset_any") {
    listOf(checkCondition)(facts["objects"], below(path, "objects"), tell);
    return;
  }
  const names = type === "asset" ? ["name", "uri", "group", "extra"] : ["name", "group"];
  for (const name of names) {
    if (!Object.hasOwn(facts, name)) tell(path, `has no ${JSON.stringify(name)}`);
  }
};

const ASSETS = ["asset", "asset_alias", "asset_all", "asset_any"];

/** An asset, or several as one. */
export const checkCondition: Check = (value, path, tell) => {
  if (isRecord(value) && ASSETS.includes(String(value["__type"]))) checkAsset(value, path, tell);
  else tell(path, `is ${kindOf(value)}, expected an asset or several`);
};

/** How the `__var` of each type has to be; of the types that the SDK writes. */
const TYPES: { readonly [type: string]: Check } = {
  dict: (value, path, tell) => {
    if (!isRecord(value)) return record(value, path, tell);
    for (const [key, entry] of Object.entries(value)) checkEncoded(entry, below(path, key), tell);
  },
  timedelta: number,
  datetime: moment,
  timezone: text,
  set: (value, path, tell) => listOf(checkEncoded)(value, path, tell),
  tuple: (value, path, tell) => listOf(checkEncoded)(value, path, tell),
  arg_not_set: () => {},
  xcomref: record,
};

/**
 * A value as Airflow's serialiser of Dags writes it: every object says what it is, in `__type`. So
 * does one under a key of a task that Airflow does not know.
 */
export const checkEncoded: Check = (value, path, tell) => {
  if (Array.isArray(value)) return listOf(checkEncoded)(value, path, tell);
  if (!isRecord(value)) return;
  const { __type: type, __var: inner } = value;
  if (typeof type !== "string" || inner === undefined) {
    tell(path, 'is an object without "__type" and "__var", which Airflow cannot read here');
  } else if (ASSETS.includes(type)) {
    checkCondition(value, path, tell);
  } else if (Object.hasOwn(TYPES, type)) {
    TYPES[type]?.(inner, below(path, "__var"), tell);
  } else {
    tell(path, `says that it is of the type ${JSON.stringify(type)}, which is unknown`);
  }
};
