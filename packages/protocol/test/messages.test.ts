import { CATALOGUE, type Direction, SCHEMA_VERSIONS, type SchemaVersion } from "@parlance/protocol";
import { type ValidationIssue, validateBody } from "@parlance/protocol/validate";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Definition, readSchema, type SchemaFile } from "./support/read-data.ts";
import { fullest, resolve, smallest } from "./support/sample.ts";

type Body = Record<string, unknown>;
type OneValidator = { readonly validate: (body: unknown) => readonly ValidationIssue[] };

interface Case {
  readonly version: SchemaVersion;
  readonly direction: Direction;
  readonly name: string;
  readonly schema: SchemaFile;
  readonly definition: Definition;
}

const CASES: readonly Case[] = SCHEMA_VERSIONS.flatMap((version) => {
  const schema = readSchema(version);
  return (["to-supervisor", "to-task"] as const).flatMap((direction) =>
    CATALOGUE[version][direction].map((name) => ({
      version,
      direction,
      name,
      schema,
      definition: resolve(schema, { $ref: `#/$defs/${name}` }),
    })),
  );
});

/** Issues of both validators: the module with all messages and the message's own one. */
async function judge({ version, direction, name }: Case, body: Body): Promise<string[]> {
  const result = validateBody(version, direction, body);
  const issues = result.valid ? [] : result.errors;
  const one = (await import(`@parlance/protocol/validators/${version}/${name}.js`)) as OneValidator;
  // Another type is judged by its own message only where all messages are known.
  if (body["type"] === name) assert.equal(one.validate(body), issues, `${version} ${name}`);
  return issues.map(({ path }) => path);
}

function isNullable(schema: SchemaFile, node: Definition): boolean {
  const resolved = resolve(schema, node);
  if (resolved.anyOf?.some(({ type }) => type === "null")) return true;
  // JsonValue and what says nothing about its value.
  return resolved.type === undefined
    ? resolved.const === undefined && resolved.enum === undefined && resolved.oneOf === undefined
    : Array.isArray(resolved.type);
}

test("every message has a validator that takes its smallest and its fullest body", async () => {
  for (const each of CASES) {
    assert.equal(await judge(each, smallest(each.schema, each.definition) as Body), [], each.name);
    assert.equal(await judge(each, fullest(each.schema, each.definition) as Body), [], each.name);
  }
});

test("a required field that is missing is named, type among them", async () => {
  for (const each of CASES) {
    const body = smallest(each.schema, each.definition) as Body;
    for (const name of [...(each.definition.required ?? []), "type"]) {
      const { [name]: _left, ...rest } = body;
      assert.equal(await judge(each, rest), [`/${name}`], `${each.name} without ${name}`);
    }
  }
});

test("a field of the wrong type is named", async () => {
  const wrong: readonly unknown[] = [
    Symbol("s"),
    { not: "this" },
    ["not", "this"],
    "not this",
    1.5,
  ];
  for (const each of CASES) {
    const body = fullest(each.schema, each.definition) as Body;
    for (const [name, field] of Object.entries(each.definition.properties ?? {})) {
      if (Object.keys(resolve(each.schema, field)).length === 0) continue;
      const found = await Promise.all(
        wrong.map((value) => judge(each, { ...body, [name]: value })),
      );
      const refused = found.filter((paths) => paths.length > 0);
      assert.ok(refused.length >= 1, `${each.name}.${name} takes anything`);
      for (const paths of refused) {
        for (const path of paths) assert.ok(path.startsWith(`/${name}`), `${each.name}: ${path}`);
      }
    }
  }
});

test("null is taken where the schema says so, and for optional fields a task receives", async () => {
  for (const each of CASES) {
    const body = fullest(each.schema, each.definition) as Body;
    for (const [name, field] of Object.entries(each.definition.properties ?? {})) {
      const isOptional = !(each.definition.required ?? []).includes(name) && name !== "type";
      const isTaken =
        isNullable(each.schema, field) || (each.direction === "to-task" && isOptional);
      const expected = isTaken ? [] : [`/${name}`];
      assert.equal(await judge(each, { ...body, [name]: null }), expected, `${each.name}.${name}`);
    }
  }
});

const STRICT = [
  "AwaitInputTask",
  "DeferTask",
  "RescheduleTask",
  "RetryTask",
  "SkipDownstreamTasks",
  "SucceedTask",
  "TriggerDagRun",
];

test("unknown fields are refused exactly in the strict messages that a task sends", async () => {
  for (const each of CASES) {
    const body = { ...(smallest(each.schema, each.definition) as Body), zz_unknown: 1 };
    const isStrict = each.direction === "to-supervisor" && STRICT.includes(each.name);
    const expected = isStrict ? ["/zz_unknown"] : [];
    assert.equal(await judge(each, body), expected, `${each.version} ${each.name}`);
    assert.equal(await judge(each, { ...body, zz_unknown: undefined }), []);
  }
});

test.run();
