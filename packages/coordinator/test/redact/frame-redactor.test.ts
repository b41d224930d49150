import { FrameRedactor } from "@parlance/coordinator";
import { decodeResponseFrame, encodeResponseFrame, Float, Timestamp } from "@parlance/framing";
import { test } from "uvu";
import * as assert from "uvu/assert";

const toTask = (body: unknown, id = 1, error: unknown = null) =>
  ({ direction: "to-task", id, body, third: error }) as const;
const toSupervisor = (body: unknown, id = 1, carrier: unknown = null) =>
  ({ direction: "to-supervisor", id, body, third: carrier }) as const;

const CONNECTION = {
  conn_id: "c",
  conn_type: "http",
  host: "h.example",
  schema: null,
  login: "usr",
  password: "pass-word/1",
  port: 5432,
  extra: '{"region":"eu-secret","nested":[{"k":"leaf-hidden"}],"n":5,"on":true,"no":null}',
  type: "ConnectionResult",
};

test("a Connection keeps its shape; its secrets are known from then on, however they are written", () => {
  const redactor = new FrameRedactor();
  const before = toSupervisor({ type: "SetXCom", key: "k", value: "pass-word/1" });
  assert.equal(redactor.frame(before).body, before.body); // nobody knows yet
  const { body, redacted } = redactor.frame(toTask(CONNECTION));
  assert.equal(body, {
    ...CONNECTION,
    login: "***",
    password: "***",
    extra: '{"region":"***","nested":[{"k":"***"}],"n":0,"on":true,"no":null}',
  });
  assert.equal(redacted, ["/body/login", "/body/password", "/body/extra"]);
  const value = {
    url: `db://usr:${encodeURIComponent("pass-word/1")}@h`,
    json: JSON.stringify({ a: "leaf-hidden" }),
    list: ["usr", "usr and more", "eu-secret!"],
    "of leaf-hidden": 1,
  };
  const later = redactor.frame(
    toSupervisor({ type: "SetXCom", key: "k", value }, 2, { t: "eu-secret" }),
  );
  assert.equal(later.body, {
    type: "SetXCom",
    key: "k",
    value: {
      url: "db://usr:***@h",
      json: '{"a":"***"}',
      list: ["***", "usr and more", "***!"],
      "of ***": 1,
    },
  });
  assert.equal(later.third, { t: "***" });
  assert.equal(later.redacted, [
    "/body/value/url",
    "/body/value/json",
    "/body/value/list/0",
    "/body/value/list/2",
    "/body/value",
    "/carrier/t",
  ]);
  assert.is(
    redactor.line('{"level":"usr","event":"pass-word/1","api_key":5,"user":"usr"}'),
    '{"level":"***","event":"***","api_key":0,"user":"***"}',
  );
  assert.is(redactor.line("plain pass-word/1"), "plain ***");
  assert.is(
    Buffer.from(redactor.bytes(Buffer.from("\xffpass-word/1", "latin1"))).toString("latin1"),
    "\xff***",
  );
});

test("Variables are secret whatever their name, unless only sensitive ones shall be", () => {
  const variable = (key: string, value: string) => toTask({ type: "VariableResult", key, value });
  for (const [value, expected] of [
    ["eu", "***"],
    ["17", "0"],
    ["true", "true"],
    ['["a"]', '["***"]'],
    ["", ""],
  ] as const) {
    assert.is(
      (new FrameRedactor().frame(variable("k", value)).body as { value: string }).value,
      expected,
    );
  }
  const redactor = new FrameRedactor({ keepPlainVariables: true });
  assert.is(
    (redactor.frame(variable("region", "europe")).body as { value: string }).value,
    "europe",
  );
  assert.is((redactor.frame(variable("api_token", "abc")).body as { value: string }).value, "***");
  const put = redactor.frame(
    toSupervisor({ type: "PutVariable", key: "my-password", value: "long-enough" }),
  );
  assert.equal(put.redacted, ["/body/value"]);
  assert.is(redactor.line("long-enough abc"), "*** abc"); // too short to be looked for in texts
  redactor.frame(variable("other_token", "failed"));
  const same = redactor.frame(toSupervisor({ type: "TaskState", state: "failed", a: "failed" }));
  assert.equal(same.body, { type: "TaskState", state: "failed", a: "***" });
});

test("what is no word and no name of the protocol hides no secret either", () => {
  const redactor = new FrameRedactor();
  redactor.frame(toTask({ type: "VariableResult", key: "k", value: "Long-Enough" }));
  const { body, redacted } = redactor.frame(
    toSupervisor({ type: "NoneLong-Enough", state: "Long-Enough", "a Long-Enough": 1 }),
  );
  assert.equal(body, { type: "None***", state: "***", "a ***": 1 });
  assert.equal(redacted, ["/body/type", "/body/state", "/body"]);
  const hidden = redactor.frame(
    toSupervisor({ type: "MaskSecret", value: { "Long-Enough": "x" } }),
  );
  assert.not.match(JSON.stringify(hidden.body), "Long-Enough");
  assert.is(redactor.line('{"level":"Long-Enough"}'), '{"level":"***"}');
  redactor.frame(toTask({ type: "VariableResult", key: "k", value: "error" }));
  assert.is(redactor.line('{"level":"error","a":"error"}'), '{"level":"error","a":"***"}');
});

test("sensitive names, sensitive keys and their answers, and MaskSecret: placeholders of the same type", () => {
  const redactor = new FrameRedactor();
  const value = { password: ["x1", 5, 2n ** 60n, true, null, { deep: Buffer.of(1) }], token: 1.5 };
  const fields = redactor.frame(
    toSupervisor({ type: "SetRenderedFields", rendered_fields: value }),
  );
  assert.equal(fields.body, {
    type: "SetRenderedFields",
    rendered_fields: {
      password: ["***", 0, 0, true, null, { deep: new Uint8Array(0) }],
      token: 0,
    },
  });
  redactor.frame(toSupervisor({ type: "GetTaskStateStore", ti_id: "x", key: "api_key" }, 7));
  const state = { type: "TaskStateStoreResult", value: { a: "kept-in-store" } };
  assert.equal(redactor.frame(toTask(state, 7)).body, { ...state, value: { a: "***" } });
  assert.equal(redactor.frame(toTask({ ...state, value: "other" }, 7)).redacted, []);
  assert.is(redactor.line("kept-in-store"), "***");
  const mask = {
    type: "MaskSecret",
    value: { user: "plain-user", l: ["other-secret"] },
    name: "any",
  };
  assert.equal(redactor.frame(toSupervisor(mask)).body, {
    ...mask,
    value: { user: "***", l: ["***"] },
  });
  assert.is(redactor.line("plain-user other-secret"), "*** ***");
  const error = { type: "ErrorResponse", error: "GENERIC_ERROR", detail: { m: "of plain-user" } };
  assert.equal(redactor.frame(toTask(null, 9, error)).redacted, ["/error/detail/m"]);
  const context = {
    connections: [{ ...CONNECTION, extra: "no JSON at all" }],
    variables: [{ key: "k", value: "in the context" }],
  };
  const details = redactor.frame(toTask({ type: "StartupDetails", ti_context: context }, 0));
  assert.equal(details.redacted, [
    "/body/ti_context/connections/0/login",
    "/body/ti_context/connections/0/password",
    "/body/ti_context/connections/0/extra",
    "/body/ti_context/variables/0/value",
  ]);
});

test("maps in the order of the wire stay Maps, exact values stay, and what holds no secret is the same object", () => {
  const redactor = new FrameRedactor();
  redactor.frame(toTask(CONNECTION));
  const bytes = encodeResponseFrame({
    id: 3,
    body: {
      at: new Timestamp(5, 7),
      one: new Float(1),
      m: new Map<unknown, unknown>([
        [1, "leaf-hidden"],
        [null, 2n ** 63n],
      ]),
      ["__proto__" as string]: 1,
    },
  });
  const options = { maps: "map", wrapFloats: true } as const;
  const frame = decodeResponseFrame(bytes.subarray(4), options);
  const { body, redacted } = redactor.frame(toTask(frame.body, 3));
  assert.ok(body instanceof Map);
  assert.equal([...(body as Map<unknown, unknown>).keys()], ["at", "one", "m", "__proto__"]);
  assert.is((body as Map<string, unknown>).get("at"), frame.body?.get("at"));
  assert.is((body as Map<string, Map<unknown, unknown>>).get("m")?.get(1), "***");
  assert.equal(redacted, ["/body/m/1"]);
  const clean = decodeResponseFrame(
    encodeResponseFrame({ id: 1, body: { a: [1] } }).subarray(4),
    options,
  );
  assert.is(redactor.frame(toTask(clean.body)).body, clean.body);
});

test("a secret of very many parts costs no more than some of them", () => {
  const redactor = new FrameRedactor();
  const list = Array.from({ length: 20_000 }, (_, index) => `part number ${index}`);
  const hidden = redactor.frame(
    toTask({ type: "VariableResult", key: "k", value: JSON.stringify(list) }),
  );
  assert.not(JSON.stringify(hidden.body).includes("part"));
  const again = redactor.frame(toTask({ type: "XComResult", key: "my_token", value: list }));
  assert.is(again.redacted.length, list.length);
  assert.not(JSON.stringify(again.body).includes("part"));
  assert.is(redactor.line("part number 17"), "***");
  const startedAt = performance.now();
  for (let at = 0; at < 100; at++) redactor.line("a usual line that has nothing to hide");
  assert.ok(performance.now() - startedAt < 10_000);
});

test.run();
