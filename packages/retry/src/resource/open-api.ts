import { ORDER_FIELDS } from "./order-by.ts";
import { retrySettingsSchema } from "./retry-settings.ts";
import { type JsonSchema, taskSchemas } from "./task-schemas.ts";

const dagId = { name: "dag_id", in: "path", required: true, schema: { type: "string" } };
const taskId = { name: "task_id", in: "path", required: true, schema: { type: "string" } };
const orderBy = {
  name: "order_by",
  in: "query",
  description: "A field, with a dash in front for downwards. Nulls last upwards, first downwards.",
  schema: {
    type: "string",
    default: "task_id",
    enum: ORDER_FIELDS.flatMap((field) => [field, `-${field}`]),
  },
};

const unauthorized = {
  "401": refusal("No token."),
  "403": refusal("A bad token, or no right to see this Dag."),
};

/**
 * The two routes of tasks as a part of an OpenAPI 3.1 document: `paths` and `components`, to be
 * merged into one's own. `components.schemas.RetrySettings` is for a body that sets the retry
 * fields: Airflow itself has no such route.
 */
export const openApiFragment: {
  readonly openapi: "3.1.0";
  readonly paths: Readonly<Record<string, JsonSchema>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
} = {
  openapi: "3.1.0",
  paths: {
    "/api/v2/dags/{dag_id}/tasks": {
      get: {
        operationId: "get_tasks",
        summary: "All tasks of a Dag, in one answer.",
        parameters: [dagId, orderBy],
        responses: {
          "200": answer("The tasks, ordered.", "TaskCollection"),
          "400": refusal("order_by is no field that tasks can be ordered by."),
          ...unauthorized,
          "404": refusal("There is no such Dag."),
        },
      },
    },
    "/api/v2/dags/{dag_id}/tasks/{task_id}": {
      get: {
        operationId: "get_task",
        summary: "One task of a Dag.",
        parameters: [dagId, taskId],
        responses: {
          "200": answer("The task.", "Task"),
          ...unauthorized,
          "404": refusal("There is no such Dag, or no such task in it."),
        },
      },
    },
  },
  components: { schemas: { ...taskSchemas, RetrySettings: retrySettingsSchema } },
};

function answer(description: string, schema: string): JsonSchema {
  const ref = { $ref: `#/components/schemas/${schema}` };
  return { description, content: { "application/json": { schema: ref } } };
}

function refusal(description: string): JsonSchema {
  return answer(description, "Refusal");
}
