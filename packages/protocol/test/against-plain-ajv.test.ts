// The same bodies judged by Ajv with the schema as it is: an oracle that knows none of our
// keywords. JSON bodies only, since that is all it can judge.
import { CATALOGUE, SCHEMA_VERSIONS } from "@parlance/protocol";
import { validateBody } from "@parlance/protocol/validate";
import { load } from "@parlance/test-kit";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readSchema } from "./support/read-data.ts";
import { fullest } from "./support/sample.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Text, and numbers that no date-time or duration could be read from, at any place. */
const value: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<Json>(null, true, false, "", "text", 1e18, -3e14 - 0.5, "failed", "skipped"),
    fc.array(tie("json"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("type", "key", "value", "name", "zz"), tie("json")),
  ),
})).json;

/** Replaces, removes or adds something at a place that two numbers choose. */
function mutate(body: Json, place: number, action: number, put: Json): Json {
  if (typeof body !== "object" || body === null) return put;
  if (Array.isArray(body)) {
    if (body.length === 0) return [put];
    const index = place % body.length;
    return body.map((each, at) => (at === index ? mutate(each, place >> 2, action, put) : each));
  }
  const keys = Object.keys(body);
  const key = keys[place % Math.max(1, keys.length)];
  if (key === undefined || action === 0) return { ...body, zz_added: put };
  const { [key]: old, ...rest } = body;
  if (action === 1) return rest;
  return { ...body, [key]: action === 2 ? put : mutate(old ?? null, place >> 3, action, put) };
}

const ZONED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

for (const version of SCHEMA_VERSIONS) {
  test(`what a task sends is judged as plain Ajv judges it (${version})`, async () => {
    const schema = readSchema(version);
    const ajv = new Ajv2020({ strict: false, allErrors: false });
    ajv.addFormat("date-time", ZONED);
    ajv.addFormat("duration", /^P[0-9DTHMS]+$/);
    ajv.addFormat("uuid", /^[0-9a-f-]{36}$/);
    ajv.addSchema({ $id: "wire", $defs: schema.$defs });
    for (const name of CATALOGUE[version]["to-supervisor"]) {
      const full = fullest(schema, { $ref: `#/$defs/${name}` }) as Json;
      const oracle = ajv.getSchema(`wire#/$defs/${name}`);
      assert.ok(oracle);
      await fc.assert(
        fc.property(fc.nat(1000), fc.nat(3), value, (place, action, put) => {
          const body = mutate(full, place, action, put) as { readonly type?: Json };
          // The tag is always demanded; the schema file lets it be left out.
          const expected = body.type === name && oracle(body) === true;
          return validateBody(version, "to-supervisor", body).valid === expected;
        }),
        { numRuns: load(3_000) },
      );
    }
  });
}

test.run();
