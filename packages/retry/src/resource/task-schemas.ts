/** A JSON Schema (2020-12), or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const text = { type: "string" };
const textOrNull = { type: ["string", "null"] };
const dateOrNull = { type: ["string", "null"], format: "date-time" };
const texts = { type: "array", items: text };

/** A `timedelta` in the normal form of Python, as the API sends it. */
export const timeDeltaSchema: JsonSchema = {
  type: "object",
  required: ["__type", "days", "seconds", "microseconds"],
  properties: {
    __type: { const: "TimeDelta" },
    days: { type: "integer", minimum: -999_999_999, maximum: 999_999_999 },
    seconds: { type: "integer", minimum: 0, maximum: 86_399 },
    microseconds: { type: "integer", minimum: 0, maximum: 999_999 },
  },
  additionalProperties: false,
};

const taskProperties: Readonly<Record<string, JsonSchema>> = {
  task_id: text,
  task_display_name: text,
  owner: text,
  start_date: dateOrNull,
  end_date: dateOrNull,
  trigger_rule: text,
  depends_on_past: { type: "boolean" },
  wait_for_downstream: { type: "boolean" },
  retries: { type: "number" },
  queue: text,
  pool: text,
  pool_slots: { type: "number" },
  execution_timeout: { oneOf: [refTo("TimeDelta"), { type: "null" }] },
  retry_delay: refTo("TimeDelta"),
  retry_exponential_backoff: {
    type: ["number", "null"],
    description:
      "The multiplier; 0, 1 and negative ones mean a fixed delay. Null: NaN or infinite.",
  },
  priority_weight: { type: "number" },
  weight_rule: text,
  ui_color: text,
  ui_fgcolor: text,
  template_fields: texts,
  downstream_task_ids: { ...texts, uniqueItems: true },
  doc_md: textOrNull,
  operator_name: text,
  params: { type: "object", additionalProperties: refTo("Param") },
  class_ref: refTo("ClassRef"),
  is_mapped: { type: "boolean" },
  extra_links: { ...texts, readOnly: true },
};

/** The schemas that the fragment of the OpenAPI document puts under `components`. */
export const taskSchemas: Readonly<Record<string, JsonSchema>> = {
  TimeDelta: timeDeltaSchema,
  Param: {
    type: "object",
    required: ["value", "schema", "description", "source"],
    properties: {
      value: {},
      schema: { type: "object" },
      description: textOrNull,
      source: { enum: ["dag", "task", null] },
    },
  },
  ClassRef: {
    type: "object",
    required: ["module_path", "class_name"],
    properties: { module_path: textOrNull, class_name: text },
  },
  Task: {
    type: "object",
    required: Object.keys(taskProperties),
    properties: taskProperties,
  },
  TaskCollection: {
    type: "object",
    required: ["tasks", "total_entries"],
    properties: {
      tasks: { type: "array", items: refTo("Task") },
      total_entries: { type: "integer", minimum: 0 },
    },
  },
  Refusal: { type: "object", required: ["detail"], properties: { detail: text } },
};

function refTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
