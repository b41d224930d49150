import type { LogEntry, Param } from "@parlance/dev";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { jsonPreview, parseExactJson, toJsonNode } from "../../dist/page-model/exact-json.js";
import { filterLog, shownLine } from "../../dist/page-model/log-filter.js";
import { fieldValue, isFilledIn, paramField } from "../../dist/page-model/param-fields.js";
import { beginning, plainLine, plainText } from "../../dist/page-model/plain-text.js";
import { parseRoute, type Route, routeHash } from "../../dist/page-model/route.js";

test("what cannot be seen, or changes what is, is written out", () => {
  assert.is(
    plainText("a\u001b[31mb\u202ec\u0000\u200d\ufeff\n\t"),
    "a\\u001b[31mb\\u202ec\\u0000\\u200d\\ufeff\n\t",
  );
  assert.is(plainLine("a\nb\tc"), "a\\nb\\tc");
  assert.is(plainText("žluťoučký 王芳 🙂"), "žluťoučký 王芳 🙂");
  assert.equal(beginning("ab🙂c", 3), { text: "ab", left: 3 });
  assert.equal(beginning("ab", 3), { text: "ab", left: 0 });
});

test("JSON keeps its digits, and what is none is said to be none", () => {
  const node = parseExactJson(
    '{"a": [1.0, 18446744073709551615, -0, 1e400, "x\\"y"], "b": {}, "c": null}',
  );
  if (node === undefined) throw new Error("JSON");
  assert.is(
    jsonPreview(node, 500),
    '{a: [1.0, 18446744073709551615, -0, 1e400, "x\\"y"], b: {}, c: null}',
  );
  for (const bad of ["", "{", '{"a"}', "[1", "1 2", '"\\', "[}"])
    assert.is(parseExactJson(bad), undefined, bad);
  assert.is(parseExactJson("[".repeat(100_000)), undefined, "deep");
  assert.is(parseExactJson(`"${"a".repeat(1_000_000)}"`)?.kind, "text", "long");
  assert.equal(toJsonNode({ $: "int", v: "9007199254740993" }), {
    kind: "word",
    text: "9007199254740993 (int)",
  });
  assert.equal(toJsonNode({ $: "int", v: "1", w: 2 }).kind, "map");
  assert.ok(jsonPreview(toJsonNode("x".repeat(1_000_000)), 100).length <= 101);
});

test("a log is filtered by level and by a search in any case, and its lines have an end", () => {
  const entry = (level: LogEntry["level"], event: unknown, rest = {}): LogEntry => ({
    timestamp: null,
    level,
    logger: "l",
    event,
    ...rest,
  });
  const entries = [
    entry("info", "Alpha"),
    entry("error", { deep: "ALPHA" }),
    entry("info", "beta", { field: "alpha" }),
  ];
  const all = new Set(["info", "error"]);
  assert.equal(filterLog(entries, { levels: all, search: "alpha" }), [0, 1, 2]);
  assert.equal(filterLog(entries, { levels: new Set(["info"]), search: "alpha" }), [0, 2]);
  assert.equal(filterLog(entries, { levels: all, search: "" }, 2), [2]);
  assert.match(shownLine(entry("info", "y".repeat(1_048_576))), /^y{1000} … 1047576 more$/);
});

test("addresses lead back to what they name, whatever the names are", () => {
  for (const id of ["a/b", "a?b#c%", "ä 王 🙂", "..", "<img>"]) {
    const route: Route = {
      view: "dag",
      dagId: id,
      tab: "runs",
      runId: id,
      taskId: id,
      mapIndex: 3,
      part: "frames",
    };
    assert.equal(parseRoute(routeHash(route)), route);
  }
  assert.equal(parseRoute("#/dags/d/tasks"), { view: "dag", dagId: "d", tab: "tasks" });
  for (const odd of ["", "#", "#/", "#/elsewhere", "#/dags/", "#/dags"])
    assert.equal(parseRoute(odd), { view: "dags" });
  assert.equal(parseRoute("#/dags/%E0%A4%A"), { view: "dag", dagId: "%E0%A4%A", tab: "runs" });
});

test("a param becomes the field that its schema asks for", () => {
  const param = {
    name: "p",
    value: null,
    isRequired: false,
    isSecret: false,
    schema: {},
    description: null,
  };
  const kind = (value: unknown, schema: Param["schema"]) =>
    paramField({ ...param, value, schema }).kind;
  assert.is(kind("eu", {}), "text");
  assert.is(kind("eu", { enum: ["eu", "us"] }), "choice");
  assert.is(kind(5, { type: "integer" }), "integer");
  assert.is(kind(true, {}), "boolean");
  assert.is(kind([1], {}), "json");
  assert.is(kind(null, { type: ["string", "null"] }), "json");
  const whole = paramField({ ...param, value: 5, schema: { type: "integer" } });
  assert.is(fieldValue(whole, " 7 "), 7);
  for (const bad of ["", "x", "7.5", "Infinity"])
    assert.throws(() => fieldValue(whole, bad), /whole number/);
  assert.throws(() => fieldValue(paramField({ ...param, value: [1] }), "[1"), /no JSON/);
  assert.is(isFilledIn(whole, "5"), false);
  assert.is(isFilledIn(paramField({ ...param, isRequired: true }), ""), true);
  const secret = paramField({ ...param, value: "***", isSecret: true });
  assert.is(secret.initial, "");
  assert.is(isFilledIn(secret, ""), false);
});

test.run();
