import { throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { checkParams } from "../../../dist/dag-run/run/check-params.js";

const given = { hasDefault: true, description: null };
const dag = {
  dagId: "d",
  params: [
    { ...given, name: "region", default: "eu", schema: { type: "string", enum: ["eu", "us"] } },
    { ...given, name: "limit", default: 3, schema: { type: "integer", minimum: 1 } },
  ],
};

test("params as the Dag has them, and keys that are none of them", () => {
  checkParams(dag, {});
  checkParams(dag, { region: "us", limit: 9, other: [1] });
});

test("every param that is wrong is named before the run begins", () => {
  const wrong = throws(() => checkParams(dag, { region: "asia", limit: 0 }), "bad-request");
  assert.match(
    wrong.message,
    /Dag "d" can't begin: param "region" is the text "asia", expected one of \["eu","us"\]; param "limit" is 0, below 1$/,
  );
  const who = { name: "who", hasDefault: false, default: null, schema: {}, description: null };
  const none = { ...given, name: "none", default: null, schema: { type: "string" } };
  const left = throws(() => checkParams({ dagId: "d", params: [who, none] }, {}), "bad-request");
  assert.match(
    left.message,
    /param "who" has no default, give a value; the default of param "none" is null, expected string$/,
  );
});

test("a default that JSON has no form for is left to the task", () => {
  const day = { __type: "datetime", __var: 1767225600 };
  checkParams(
    { dagId: "d", params: [{ ...given, name: "day", default: day, schema: { type: "string" } }] },
    {},
  );
});

test.run();
