import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Float, Timestamp, type WireValue } from "@parlance/framing";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { compareValues } from "../dist/wire/replay/compare-values.js";
import { errorOf, PACKAGE, parlance } from "./support/cli.ts";

const folder = temporaryFolder();
const RUNTIME = [process.execPath, join(PACKAGE, "test/fixtures/wire-runtime.mjs")];
const HEAD = { transcript: 1, startedAt: "2026-06-16T01:02:03Z", argv: [] };

let count = 0;
function transcript(entries: readonly object[], head: object = HEAD): string {
  const path = join(folder, `${++count}.ndjson`);
  writeFileSync(path, [head, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  return path;
}

const toTask = (number: number, id: number, body: object | null) =>
  ({ ms: number, frame: number, direction: "to-task", id, body, error: null }) as const;
const toSupervisor = (number: number, id: number, body: object | null, redacted?: string[]) =>
  ({
    ms: number,
    frame: number,
    direction: "to-supervisor",
    id,
    body,
    carrier: null,
    redacted,
  }) as const;

/** What the runtime's mode `ask` says, with ids that are not the transcript's. */
const ASKED = [
  toTask(1, 0, { type: "StartupDetails", n: 1 }),
  toSupervisor(2, 5, { type: "GetVariable", key: "k", at: "2026-01-01T00:00:00Z" }),
  toTask(3, 5, { type: "VariableResult", value: "***" }),
  toSupervisor(4, 6, { type: "SetXCom", value: ["got ***", 1.5, { a: "***" }] }, [
    "/body/value/0",
    "/body/value/2/a",
  ]),
  { ms: 5, log: "{}" },
  { ms: 6, exit: 3 },
];

const replay = (path: string, ...options: string[]) =>
  parlance(["wire", "replay", path, ...options, "--", ...RUNTIME, "ask"]);

test("a runtime that does what it did is equal; its ids, date-times and placeholders may be others", async () => {
  const path = transcript(ASKED);
  const run = await replay(path);
  assert.is(run.code, 0, run.stdout + run.stderr);
  assert.is(run.stdout, "equal: 2 frames, exit code 3\n");
  assert.match(run.stderr, "said on its log");
  const json = await replay(path, "--json");
  assert.equal(JSON.parse(json.stdout), { equal: true, frames: 2, exitCode: 3 });
  const strict = await replay(path, "--strict", "--json");
  assert.is(strict.code, 1);
  assert.is(JSON.parse(strict.stdout).difference.path, "/body/at");
});

const changed = (index: number, entry: object): string =>
  transcript(ASKED.map((each, at) => (at === index ? entry : each)));

for (const [name, path, difference] of [
  [
    "another value",
    changed(1, toSupervisor(2, 5, { type: "GetVariable", key: "other", at: "2026-01-01 00:00Z" })),
    { frame: 2, type: "GetVariable", path: "/body/key", expected: "other", got: "k" },
  ],
  [
    "a field that is not there",
    changed(
      3,
      toSupervisor(4, 6, { type: "SetXCom", value: ["got ***", 1.5, {}], more: null }, [
        "/body/value/0",
      ]),
    ),
    { frame: 4, type: "SetXCom", path: "/body/value/2/a", got: "***" },
  ],
  [
    "another exit code",
    changed(5, { exit: 0 }),
    { frame: null, type: null, path: "/exit", expected: 0, got: 3 },
  ],
  [
    "a frame that does not come",
    transcript([...ASKED.slice(0, 4), toSupervisor(5, 7, null)]),
    {
      frame: 5,
      type: null,
      path: "",
      reason: "the runtime has ended its link",
      expected: null,
    },
  ],
] as const) {
  test(`names the first difference: ${name}`, async () => {
    const run = await replay(path, "--json");
    assert.is(run.code, 1, run.stderr);
    const { equal, difference: found } = JSON.parse(run.stdout);
    assert.is(equal, false);
    if ("reason" in found) found.reason = found.reason.replace(/ \(exit code.*/, "");
    assert.equal(found, difference);
  });
}

test("for people: one line; a runtime that says nothing is waited for so long", async () => {
  const run = await replay(changed(1, toSupervisor(2, 5, { type: "GetVariable", key: "x" })));
  assert.is(
    run.stdout,
    'different: frame 2 (GetVariable) /body/key: expected "x", got "k" (equal before it: 0 frames)\n',
  );
  const args = ["wire", "replay", transcript(ASKED), "--timeout", "4", "--"];
  const silent = await parlance([...args, ...RUNTIME, "stubborn"]);
  assert.is(silent.code, 1);
  assert.match(silent.stdout, "nothing came within 4 s; expected {");
  const none = await parlance([...args, "sh", "-c", "exit 4"]);
  assert.is(none.code, 1);
  assert.match(none.stderr, "[exited-before-connect]");
});

for (const [name, text, code] of [
  ["nothing", "", "bad-transcript"],
  ["no JSON", "hello\n", "not-json"],
  ["no transcript", '{"a":1}\n', "bad-transcript"],
  ["a later version", '{"transcript":2}\n', "bad-transcript"],
  ["a bad line in the middle", `${JSON.stringify(HEAD)}\n{"fra\n{"exit":0}\n`, "not-json"],
  ["no frames", `${JSON.stringify(HEAD)}\n{"exit":0}\n`, "bad-transcript"],
  [
    "a frame too long to be kept",
    `${JSON.stringify(HEAD)}\n{"frame":1,"direction":"to-task","length":9,"omitted":true}\n`,
    "bad-transcript",
  ],
  [
    "a value that is none",
    `${JSON.stringify(HEAD)}\n{"frame":1,"direction":"to-task","id":0,"body":{"$":"x"}}\n`,
    "bad-transcript",
  ],
] as const) {
  test(`refuses a file with ${name}`, async () => {
    const path = join(folder, "bad.ndjson");
    writeFileSync(path, text);
    const run = await parlance(["wire", "replay", path, "--json", "--", "true"]);
    assert.is(run.code, 65);
    assert.is(errorOf(run).code, code);
  });
}

test("values are compared exactly but for what is said", () => {
  const uuid = "0190f7c2-1c3a-7000-8000-00000000000";
  const loose = { strict: false, redacted: new Set(["/r"]) };
  const strict = { strict: true, redacted: new Set<string>() };
  const equal: [WireValue, WireValue, string?][] = [
    [new Timestamp(1), new Timestamp(2, 5)],
    [`a ${uuid}1 b`, `a ${uuid}2 b`],
    ["manual__2026-06-16T01:02:03.123456+00:00", "manual__2026-06-17T01:02:03Z"],
    ["***", "anything at all", "/r"],
    ['{"a":"***"}', '{"a":"x","b":1}', "/r"],
    ["a *** b *** c", "a 1 b 2 b 3 c", "/r"],
    [0, 5, "/r"],
    [new Map([["***", 1]]), new Map([["key", 2]]), "/r"],
    [
      new Map([
        ["a", 1],
        ["b", 2],
      ]),
      new Map([
        ["b", 2],
        ["a", 1],
      ]),
    ],
    [Number.NaN, Number.NaN],
    [2n ** 63n, 2n ** 63n],
  ];
  for (const [expected, got, path = ""] of equal) {
    assert.is(compareValues(expected, got, path, loose), undefined, `${expected} and ${got}`);
  }
  const different: [WireValue, WireValue, string?][] = [
    [1, new Float(1)],
    [new Float(0), new Float(-0)],
    ["***", "anything"],
    ["a *** c", "a c", "/r"],
    ["***", 5, "/r"],
    ["2026-06-16", "2026-06-17"],
    [Buffer.of(1), Buffer.of(2)],
    [[1], [1, 2]],
    [null, new Map()],
  ];
  for (const [expected, got, path = ""] of different) {
    assert.ok(compareValues(expected, got, path, loose) !== undefined, `${expected} and ${got}`);
  }
  for (const [expected, got] of equal.slice(0, 3)) {
    assert.ok(compareValues(expected, got, "", strict) !== undefined);
  }
});

test.run();
