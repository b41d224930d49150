/** JSON Schema of a parameter's annotation, as Airflow sends it. */
export interface ValueSchema {
  readonly [keyword: string]: unknown;
}

/** What the Python Dag passes to one parameter of the stub. */
export type ArgumentBinding =
  | {
      readonly kind: "xcom";
      readonly argument: string;
      readonly taskId: string;
      readonly schema: ValueSchema | null;
    }
  | {
      readonly kind: "literal";
      readonly argument: string;
      readonly value: unknown;
      readonly schema: ValueSchema | null;
      /** The call left it out: it is the default of the signature. */
      readonly isDefault: boolean;
    }
  | { readonly kind: "unknown"; readonly argument: string; readonly name: string };

/**
 * Reads `ti_context.arg_bindings` of the startup details. Airflow 3.4 sends them to programs packed
 * with schema version 2026-10-30, and only for a call that has arguments, of a stub that is not mapped.
 *
 * @returns null when there are none
 * @throws TypeError for what is no list of named bindings
 */
export function readArgumentBindings(value: unknown): readonly ArgumentBinding[] | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value)) throw wrong("is no list");
  return value.map((entry: unknown) => {
    const fields = isMap(entry) ? entry : {};
    const { name: argument, kind, task_id: taskId, value_schema: schema } = fields;
    if (typeof argument !== "string") throw wrong("has an entry without a name");
    const common = { argument, schema: isMap(schema) ? schema : null };
    if (kind === "literal") {
      const isDefault = fields["from_default"] === true;
      return { ...common, kind, value: fields["value"] ?? null, isDefault };
    }
    if (kind === "xcom" && typeof taskId === "string") return { ...common, kind, taskId };
    return { kind: "unknown", argument, name: String(kind) };
  });
}

function isMap(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrong(what: string): TypeError {
  return new TypeError(`startup details: ti_context.arg_bindings ${what}`);
}
