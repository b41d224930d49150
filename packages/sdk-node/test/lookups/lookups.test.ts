import { readFileSync } from "node:fs";
import type { Connection } from "@parlance/sdk-node";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createConnection } from "../../dist/lookups/connection.js";
import { readConnection } from "../../dist/lookups/read-connection.js";
import { body, failure, openClient } from "../support/open-client.ts";

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

/** A client on a worker with this environment, whose Airflow knows one Variable and one Connection. */
function open(environment: Record<string, string>) {
  const warnings: unknown[] = [];
  const opened = openClient(
    ({ type, key, conn_id }) => {
      if (type === "GetVariable" && key === "remote") {
        return { body: { type: "VariableResult", key, value: "from Airflow" } };
      }
      if (type === "GetVariable") return { body: failure("VARIABLE_NOT_FOUND", { key }) };
      if (type === "GetConnection" && conn_id === "remote") {
        return { body: { type: "ConnectionResult", conn_id, conn_type: "http", host: "airflow" } };
      }
      if (type === "GetConnection") return { body: failure("CONNECTION_NOT_FOUND", { conn_id }) };
      return { body: null };
    },
    { environment, warn: (event, fields) => warnings.push([event, fields]) },
  );
  return { ...opened, warnings };
}

test("a Variable of the environment comes first, and is masked as Airflow masks it", async () => {
  const { client, sent } = open({ AIRFLOW_VAR_REMOTE: "here", AIRFLOW_VAR_EMPTY: "" });
  assert.is(await client.getVariable("remote"), "here");
  assert.is(await client.getVariableOrThrow("Empty"), "");
  assert.equal(sent, [
    { type: "MaskSecret", value: "here", name: "remote" },
    { type: "MaskSecret", value: "", name: "Empty" },
  ]);
  assert.is(await client.getVariable("other"), null);
});

test("a Connection of the environment comes first; its secrets are masked before it is there", async () => {
  const { client, sent } = open({
    AIRFLOW_CONN_REMOTE: "postgres://u:hunter22@h/d?token=abc",
    AIRFLOW_CONN_JSON: '{"conn_type": "http", "host": "json", "extra": "plain"}',
  });
  const connection = await client.getConnectionOrThrow("remote");
  assert.equal([connection.id, connection.type, connection.host], ["remote", "postgres", "h"]);
  assert.equal(
    sent.map(({ type, value }) => [type, value]),
    [
      ["MaskSecret", "hunter22"],
      ["MaskSecret", '{"token": "abc"}'],
      ["MaskSecret", { token: "abc" }],
    ],
  );
  assert.is((await client.getConnection("json"))?.host, "json");
});

test("what the environment does not have, or cannot say, Airflow is asked for", async () => {
  const { client, warnings } = open({
    AIRFLOW_CONN_REMOTE: "http://h:hunter22",
    AIRFLOW_CONN_EMPTY: "",
  });
  assert.is(await client.getVariable("remote"), "from Airflow");
  assert.is((await client.getConnection("remote"))?.host, "airflow");
  assert.is(await client.getConnection("empty"), null);
  assert.is(warnings.length, 1);
  assert.match(JSON.stringify(warnings), "AIRFLOW_CONN_REMOTE");
  assert.not.match(JSON.stringify(warnings), "hunter22");
});

test("a Variable that is written and would not be read back is told", async () => {
  const { client, warnings } = open({ AIRFLOW_VAR_K: "here" });
  await client.setVariable("k", "v");
  await client.setVariable("other", "v");
  assert.equal(
    warnings.map((warning) => (warning as unknown[])[1]),
    [{ key: "k" }],
  );
});

test("with teams, a name that spells another team's variable finds nothing", async () => {
  const environment = { AIRFLOW__CORE__MULTI_TEAM: "True", AIRFLOW_VAR__A___K: "secret" };
  assert.is(await open(environment).client.getVariable("_a___k"), null);
});

test("without an environment nothing is looked at, and wrong ids are refused as ever", async () => {
  const { client } = openClient(body(failure("VARIABLE_NOT_FOUND", { key: "k" })));
  process.env["AIRFLOW_VAR_K"] = "here";
  try {
    assert.is(await client.getVariable("k"), null);
  } finally {
    delete process.env["AIRFLOW_VAR_K"];
  }
  await rejects(open({}).client.getVariable(7 as never), "invalid-request");
  await rejects(open({}).client.getConnection(null as never), "invalid-request");
});

test.run();
