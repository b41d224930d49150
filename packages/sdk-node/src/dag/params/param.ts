import type { JsonValue } from "../../client/xcom-value.ts";

/** Keywords of JSON Schema for a param; Airflow checks each run against them, and draws its form by them. */
export interface ParamSchema {
  readonly title?: string | undefined;
  /** @default that of the default: `string`, `number`, `boolean`, `array` or `object` */
  readonly type?: JsonType | readonly JsonType[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly exclusiveMaximum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
  readonly format?: string | undefined;
  readonly items?: { readonly [keyword: string]: JsonValue } | undefined;
  readonly [keyword: string]: JsonValue | undefined;
}

/** Types of JSON. */
export type JsonType = "string" | "number" | "integer" | "boolean" | "array" | "object" | "null";

/** How a param is described. */
export interface ParamOptions extends ParamSchema {
  /** Shown beside its field. */
  readonly description?: string | undefined;
}

/** A param of a Dag; see {@link param} and {@link requiredParam}. */
export class Param<out Value = unknown> {
  /** Of what type it is; only there for the compiler. */
  declare readonly value: Value;
  /** @internal */
  readonly fallback: { readonly value: unknown } | null;
  /** @internal */
  readonly options: ParamOptions;

  /** @internal */
  constructor(fallback: { readonly value: unknown } | null, options: ParamOptions) {
    this.fallback = fallback;
    this.options = options;
  }
}

/**
 * A param of a Dag, with the value that it has in a run which was started without it.
 *
 *     params: { region: param("eu", { enum: ["eu", "us"], description: "…" }), limit: param(100, { minimum: 1 }) }
 *
 * Handlers get it as `params.region`. A `default` of null needs a type: `param<string | null>(null)`.
 *
 * @param options - keywords of JSON Schema, and a `description`
 */
export function param<const Value extends string | number>(
  value: NoInfer<Value>,
  options: ParamOptions & { readonly enum: readonly Value[] },
): Param<Value>;
export function param<Value extends JsonValue>(
  value: Value,
  options?: ParamOptions & { readonly enum?: undefined },
): Param<Widened<Value>>;
export function param(value: unknown, options: ParamOptions = {}): Param {
  return new Param({ value }, options);
}

/**
 * A param that each run has to be started with. Airflow refuses a Dag that has one and a schedule.
 *
 * @param options - keywords of JSON Schema; without a `type` any value will do
 */
export function requiredParam<Value extends JsonValue>(options: ParamOptions = {}): Param<Value> {
  return new Param<Value>(null, options);
}

/** A default says of what type the param is, not that it is always this value. */
type Widened<Value> = Value extends string
  ? string extends Value
    ? Value
    : string
  : Value extends number
    ? number
    : Value extends boolean
      ? boolean
      : Value;
