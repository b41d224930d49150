/** A JSON Schema, as a param of a Dag has it. */
export type Schema = { readonly [keyword: string]: unknown };

/** What is wrong by one keyword; undefined: nothing. */
type Rule = (value: unknown, limit: unknown, schema: Schema) => string | undefined;

const TYPES: { readonly [type: string]: (value: unknown) => boolean } = {
  string: (value) => typeof value === "string",
  number: isNumber,
  integer: (value) => Number.isInteger(value) || typeof value === "bigint",
  boolean: (value) => typeof value === "boolean",
  array: Array.isArray,
  object: isMap,
  null: (value) => value === null,
};

const RULES: { readonly [keyword: string]: Rule } = {
  type: (value, type) => {
    const types: readonly unknown[] = Array.isArray(type) ? type : [type];
    const isOne = types.some((each) => TYPES[String(each)]?.(value) ?? true);
    return isOne ? undefined : `is ${kindOf(value)}, expected ${types.join(" or ")}`;
  },
  enum: (value, values) => oneOf(value, values),
  const: (value, only) => oneOf(value, [only]),
  minimum: (value, limit) => {
    return isNumber(value) && value < Number(limit) ? `is ${value}, below ${limit}` : undefined;
  },
  maximum: (value, limit) => {
    return isNumber(value) && value > Number(limit) ? `is ${value}, above ${limit}` : undefined;
  },
  exclusiveMinimum: (value, limit) => {
    return isNumber(value) && value <= Number(limit)
      ? `is ${value}, expected more than ${limit}`
      : undefined;
  },
  exclusiveMaximum: (value, limit) => {
    return isNumber(value) && value >= Number(limit)
      ? `is ${value}, expected less than ${limit}`
      : undefined;
  },
  minLength: (value, limit) => sized(value, "characters", (size) => size < Number(limit), limit),
  maxLength: (value, limit) => sized(value, "characters", (size) => size > Number(limit), limit),
  minItems: (value, limit) => sized(value, "elements", (size) => size < Number(limit), limit),
  maxItems: (value, limit) => sized(value, "elements", (size) => size > Number(limit), limit),
  pattern: (value, pattern) => {
    if (typeof value !== "string" || typeof pattern !== "string") return undefined;
    const expression = expressionOf(pattern);
    const fits = expression === undefined || expression.test(value);
    return fits ? undefined : `is ${kindOf(value)}, expected text that matches ${pattern}`;
  },
  items: (value, schema) => {
    if (!Array.isArray(value) || !isMap(schema)) return undefined;
    return firstOf(value.entries(), (each) => findSchemaProblem(each, schema));
  },
  properties: (value, schemas) => {
    if (!isMap(value) || !isMap(schemas)) return undefined;
    return firstOf(Object.entries(value), (each, name) => {
      const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
      return isMap(schema) ? findSchemaProblem(each, schema) : undefined;
    });
  },
  required: (value, names) => {
    if (!isMap(value) || !Array.isArray(names)) return undefined;
    const missing = names.find((name) => !Object.hasOwn(value, String(name)));
    return missing === undefined ? undefined : `has no ${JSON.stringify(missing)}`;
  },
};

/**
 * Says what of a value is not as its JSON Schema has it, e.g. `is 0, below 1`; undefined: nothing.
 * The keywords of the table above are held to, those that Airflow's form for params knows; any other
 * allows everything here, and is left to Airflow, which checks when the run is started.
 *
 * @param value - JSON; integers may be bigints
 */
export function findSchemaProblem(value: unknown, schema: Schema): string | undefined {
  for (const [keyword, limit] of Object.entries(schema)) {
    const rule = Object.hasOwn(RULES, keyword) ? RULES[keyword] : undefined;
    const problem = limit === undefined ? undefined : rule?.(value, limit, schema);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function oneOf(value: unknown, allowed: unknown): string | undefined {
  if (!Array.isArray(allowed)) return undefined;
  const text = JSON.stringify(value);
  const isOne = allowed.some((each) => JSON.stringify(each) === text);
  return isOne ? undefined : `is ${kindOf(value)}, expected one of ${JSON.stringify(allowed)}`;
}

function sized(
  value: unknown,
  unit: "characters" | "elements",
  isWrong: (size: number) => boolean,
  limit: unknown,
): string | undefined {
  const isText = typeof value === "string" && unit === "characters";
  const isList = Array.isArray(value) && unit === "elements";
  if (!isText && !isList) return undefined;
  const size = isText ? Array.from(value).length : value.length;
  return isWrong(size) ? `has ${size} ${unit}, the limit is ${limit}` : undefined;
}

function firstOf(
  entries: Iterable<readonly [string | number, unknown]>,
  find: (value: unknown, key: string) => string | undefined,
): string | undefined {
  for (const [key, value] of entries) {
    const problem = find(value, String(key));
    if (problem !== undefined) return `at ${JSON.stringify(key)} ${problem}`;
  }
  return undefined;
}

/** Python's expressions are not all JavaScript's; those that are not are left to Airflow. */
function expressionOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function isMap(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a value is, for a message. */
function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === "") return "empty text";
  if (typeof value === "string") return `the text ${JSON.stringify(value.slice(0, 60))}`;
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : "an array";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
