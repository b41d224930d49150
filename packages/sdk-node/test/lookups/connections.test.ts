import { readFileSync } from "node:fs";
import type { Connection } from "@parlance/sdk-node";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createConnection } from "../../dist/lookups/connection.js";
import { readConnection } from "../../dist/lookups/read-connection.js";

interface Fields {
  readonly conn_type: string | null;
  readonly host: string | null;
  readonly schema: string | null;
  readonly login: string | null;
  readonly password: string | null;
  readonly port: number | null;
  readonly extra: string | null;
}

interface Vector {
  readonly text?: string;
  readonly fields?: Partial<Fields>;
  readonly answer: { readonly fields?: Fields; readonly uri?: string; readonly error?: string };
}

const VECTORS = JSON.parse(
  readFileSync(new URL("../../test/data/connections.json", import.meta.url), "utf8"),
) as Vector[];

function fieldsOf({ type, host, schema, login, password, port, extra }: Connection): Fields {
  // Python tells a type that was not said (JSON) from an empty one (a URI without a scheme).
  return { conn_type: type, host, schema, login, password, port, extra };
}

test("what stands in AIRFLOW_CONN_ is read as Airflow reads it", () => {
  const texts = VECTORS.filter(({ text }) => text !== undefined);
  assert.ok(texts.length > 100);
  for (const { text = "", answer } of texts) {
    if (answer.error !== undefined) {
      assert.throws(() => readConnection(text, "c"), undefined, text);
      continue;
    }
    const connection = readConnection(text, "c");
    const expected = { ...answer.fields, conn_type: answer.fields?.conn_type ?? "" };
    assert.equal(fieldsOf(connection), expected, text);
    assert.is(connection.toUri(), answer.uri, text);
    assert.is(connection.id, "c");
  }
});

test("toUri gives what get_uri() gives", () => {
  const given = VECTORS.filter(({ fields }) => fields !== undefined);
  assert.ok(given.length > 10);
  for (const { fields, answer } of given) {
    const { conn_type, host, schema, login, password, port, extra } = fields as Partial<Fields>;
    const connection = createConnection({
      id: "c",
      type: conn_type ?? "",
      host: host ?? null,
      schema: schema ?? null,
      login: login ?? null,
      password: password ?? null,
      port: port ?? null,
      extra: extra ?? null,
    });
    assert.is(connection.toUri(), answer.uri, JSON.stringify(fields));
  }
});

test("extraJson reads the extra, and says nothing of its text when it cannot", () => {
  assert.equal(readConnection('{"extra": {"a": [1]}}', "c").extraJson(), { a: [1] });
  assert.is(readConnection("x://h", "c").extraJson(), null);
  assert.throws(() => readConnection('{"extra": "hunter2"}', "c").extraJson(), SyntaxError);
});

test("what is wrong with a text is said without the text", () => {
  for (const text of ['{"password": "hunter2",}', "x://u:hunter2@h:hunter2", '{"hunter2": ']) {
    try {
      readConnection(text, "c");
      assert.unreachable(text);
    } catch (error) {
      assert.not.match(String(error), /hunter2/);
    }
  }
});

test.run();
