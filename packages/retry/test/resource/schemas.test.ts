import { readFileSync } from "node:fs";
import {
  checkRetrySettings,
  type JsonSchema,
  ORDER_FIELDS,
  openApiFragment,
  retrySettingsSchema,
} from "@parlance/retry";
import { Ajv2020 } from "ajv/dist/2020.js";
import { test } from "uvu";
import * as assert from "uvu/assert";

const ajv = new Ajv2020({
  strict: true,
  allErrors: true,
  allowUnionTypes: true,
  formats: { "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$/ },
});
ajv.addKeyword("components"); // OpenAPI's, around the schemas
ajv.addSchema({ $id: "openapi", components: openApiFragment.components });

const delay = { __type: "TimeDelta", days: 0, seconds: 60, microseconds: 0 };

test("each schema is one that a validator takes", () => {
  const names = Object.keys(openApiFragment.components.schemas);
  assert.is(names.length, 7);
  for (const name of names) assert.type(validatorOf(name), "function");
});

test("each reference leads somewhere", () => {
  const text = JSON.stringify(openApiFragment);
  const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  assert.ok(names.length > 10);
  for (const name of names) assert.ok((name as string) in openApiFragment.components.schemas);
});

test("recorded answers are valid against the schema of their route and status", () => {
  let count = 0;
  for (const { method, path, status, body } of recorded()) {
    if (method !== "GET" || body === undefined || status === 500) continue;
    const route = /tasks\/[^/?]+/.test(path) ? "/{task_id}" : "";
    const { get } = openApiFragment.paths[`/api/v2/dags/{dag_id}/tasks${route}`] as {
      get: {
        responses: Record<string, { content: { "application/json": { schema: JsonSchema } } }>;
      };
    };
    const schema = get.responses[status]?.content["application/json"].schema;
    if (schema === undefined) throw new Error(`${path}: no answer ${status} is described`);
    const validate = validatorOf(String(schema["$ref"]).split("/").at(-1) as string);
    assert.ok(validate(body), `${path}: ${ajv.errorsText(validate.errors)}`);
    count += 1;
  }
  assert.is(count, 28);
});

test("a task with a boolean back-off or a missing field is refused", () => {
  const found = recorded().find(({ path }) => path.endsWith("/unset"));
  const task = found?.body as Record<string, unknown>;
  const validate = validatorOf("Task");
  assert.not(validate({ ...task, retry_exponential_backoff: true }));
  assert.not(validate({ ...task, retry_exponential_backoff: "2" }));
  for (const name of Object.keys(task)) {
    const { [name]: _, ...rest } = task;
    assert.not(validate(rest), name);
  }
});

test("order_by offers each field in both directions", () => {
  const { get } = openApiFragment.paths["/api/v2/dags/{dag_id}/tasks"] as {
    get: { parameters: { name: string; schema: { enum: string[] } }[] };
  };
  const { schema } = get.parameters.find(({ name }) => name === "order_by") as {
    schema: { enum: string[] };
  };
  assert.is(schema.enum.length, 2 * ORDER_FIELDS.length);
  assert.ok(schema.enum.includes("-retry_exponential_backoff"));
});

const BODIES: readonly (readonly [unknown, readonly string[]])[] = [
  [{}, []],
  [{ retry_exponential_backoff: 2 }, []],
  [{ retry_exponential_backoff: -0.5, retries: 3, retry_delay: delay, max_retry_delay: null }, []],
  [{ max_retry_delay: delay }, []],
  [{ retry_exponential_backoff: true }, ["/retry_exponential_backoff"]],
  [{ retry_exponential_backoff: false }, ["/retry_exponential_backoff"]],
  [{ retry_exponential_backoff: "2.0" }, ["/retry_exponential_backoff"]],
  [{ retry_exponential_backoff: null }, ["/retry_exponential_backoff"]],
  [{ retries: 1.5 }, ["/retries"]],
  [{ retries: -1 }, ["/retries"]],
  [{ retries: true }, ["/retries"]],
  [{ retry_delay: 300 }, ["/retry_delay"]],
  [{ retry_delay: null }, ["/retry_delay"]],
  [{ retry_delay: { ...delay, seconds: 86_400 } }, ["/retry_delay/seconds"]],
  [{ retry_delay: { ...delay, weeks: 1 } }, ["/retry_delay/weeks"]],
  [
    { retry_delay: { __type: "timedelta", days: 0 } },
    ["/retry_delay/__type", "/retry_delay/seconds", "/retry_delay/microseconds"],
  ],
  [{ "pool/~x": 1 }, ["/pool~1~0x"]],
  [[], [""]],
  [null, [""]],
  ["x", [""]],
];

test("a body that sets the retry fields: numbers pass, booleans don't; both checks agree", () => {
  const validate = ajv.compile(retrySettingsSchema);
  for (const [body, paths] of BODIES) {
    const problems = checkRetrySettings(body);
    assert.equal(
      problems.map(({ path }) => path),
      paths,
      JSON.stringify(body),
    );
    assert.is(validate(body), paths.length === 0, JSON.stringify(body));
  }
  const [problem] = checkRetrySettings({ retry_exponential_backoff: true });
  assert.is(problem?.message, "got true; expected a number; send 2 for true");
});

function validatorOf(name: string) {
  const validate = ajv.getSchema(`openapi#/components/schemas/${name}`);
  if (validate === undefined) throw new Error(`no schema ${name}`);
  return validate;
}

function recorded(): { method: string; path: string; status: number; body?: unknown }[] {
  const text = readFileSync(new URL("../../test/data/rest/tasks.json", import.meta.url), "utf8");
  return JSON.parse(text).requests;
}

test.run();
