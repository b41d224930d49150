import type { PythonType, SimpleKind, StubModel } from "./stub-answer.ts";

/**
 * For what a type is written: what a handler gets, what it returns, or a field of a pydantic model,
 * which is stored as JSON.
 */
export type TypeUse = "input" | "result" | "json";

const INPUTS: Readonly<Record<SimpleKind, string>> = {
  int: "number",
  float: "number",
  str: "string",
  bool: "boolean",
  none: "null",
  bytes: "never",
  datetime: "DateTime",
  date: "CalendarDate",
  timedelta: "Duration",
  decimal: "Decimal",
  uuid: "Uuid",
  any: "XComValue",
};

const USES: Readonly<Record<TypeUse, Readonly<Record<SimpleKind, string>>>> = {
  input: INPUTS,
  result: {
    ...INPUTS,
    int: "number | bigint",
    float: "number | Float",
    datetime: "Date",
    any: "unknown",
  },
  json: {
    ...INPUTS,
    bytes: "string",
    datetime: "string",
    date: "string",
    timedelta: "string",
    decimal: "string",
    uuid: "string",
  },
};

/** Names of @parlance/sdk-node that types may need. */
const SDK_TYPES: ReadonlySet<string> = new Set([
  "CalendarDate",
  "DateTime",
  "Decimal",
  "Duration",
  "Float",
  "PythonObject",
  "Uuid",
  "XComValue",
]);

/** Writes annotations as TypeScript types and remembers what has to be imported for them. */
export class TypeTexts {
  readonly #models: ReadonlyMap<string, StubModel>;
  readonly #nameOf: (model: string) => string;
  readonly #wraps: boolean;
  /** Names of @parlance/sdk-node that were used. */
  readonly used: Set<string>;

  /** @param nameOf - what a class of the Dag file is called in TypeScript */
  constructor(
    models: readonly StubModel[],
    nameOf: (model: string) => string,
    {
      wraps = true,
      used = new Set(),
    }: { readonly wraps?: boolean; readonly used?: Set<string> } = {},
  ) {
    this.#models = new Map(models.map((model) => [model.name, model]));
    this.#nameOf = nameOf;
    this.#wraps = wraps;
    this.used = used;
  }

  /** The same for the fields of an object, whose own objects are not wrapped once more. */
  inside(): TypeTexts {
    return new TypeTexts([...this.#models.values()], this.#nameOf, {
      wraps: false,
      used: this.used,
    });
  }

  /** The type; without an annotation it is any value. */
  text(type: PythonType | null, use: TypeUse): string {
    if (type === null) return this.#simple("any", use);
    switch (type.kind) {
      case "unknown":
        return this.#simple("any", use);
      case "list":
        return `readonly ${this.#inList(type.item, use)}[]`;
      case "set":
        return use === "json"
          ? `readonly ${this.#inList(type.item, use)}[]`
          : `ReadonlySet<${this.text(type.item, use)}>`;
      case "map":
        if (use === "result" && this.text(type.item, use) === "unknown") return "object";
        return `{ readonly [key: string]: ${this.text(type.item, use)} }`;
      case "tuple":
        return this.#tuple(type, use);
      case "union":
        return [...new Set(type.of.map((each) => this.text(each, use)))].join(" | ");
      case "literal":
        return type.values.map(valueText).join(" | ");
      case "model":
        return this.#model(type.name, use);
      default:
        return this.#simple(type.kind, use);
    }
  }

  /** An object of a class arrives with the name of that class; a field of another object does not. */
  #model(model: string, use: TypeUse): string {
    const name = this.#nameOf(model);
    if (use !== "input" || !this.#wraps || this.#models.get(model)?.kind === "map") return name;
    this.used.add("PythonObject");
    return `PythonObject<${name}>`;
  }

  #simple(kind: SimpleKind, use: TypeUse): string {
    const text = USES[use][kind];
    for (const word of text.split(" | ")) if (SDK_TYPES.has(word)) this.used.add(word);
    return text;
  }

  #inList(item: PythonType, use: TypeUse): string {
    const text = this.text(item, use);
    return /^readonly | \| /.test(text) ? `(${text})` : text;
  }

  #tuple(type: Extract<PythonType, { readonly kind: "tuple" }>, use: TypeUse): string {
    if (type.rest !== null) return `readonly ${this.#inList(type.rest, use)}[]`;
    return `readonly [${type.items.map((item) => this.text(item, use)).join(", ")}]`;
  }
}

/** A value as TypeScript writes it; integers beyond 2^53 are `{"$int": digits}`. */
export function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only?.[0] === "$int") return `${String(only[1])}n`;
  if (entries.length === 0) return "{}";
  return `{ ${entries.map(([key, item]) => `${keyText(key)}: ${valueText(item)}`).join(", ")} }`;
}

/** A key of an object or a type. */
export function keyText(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}
