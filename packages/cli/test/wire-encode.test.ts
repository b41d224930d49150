import { readFileSync } from "node:fs";
import { encodeRequestFrame, encodeResponseFrame } from "@parlance/framing";
import { bytesEqual, load } from "@parlance/test-kit";
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { codeOf, wire } from "./support/wire.ts";

async function payloadOf(line: string, ...flags: string[]): Promise<string> {
  const run = await wire(["encode", ...flags], line);
  assert.is(run.code, 0, run.stderr);
  return run.stdout.subarray(4).toString("hex");
}

/** The bytes of one value, in `{"a": …}`. */
async function valueHex(json: string): Promise<string> {
  return (await payloadOf(`{"id":0,"body":{"a":${json}}}`)).replace("920081a161", "");
}

test("two elements to a supervisor, three with a carrier, always three to a task", async () => {
  assert.is(await payloadOf('{"id":1,"body":{}}'), "920180");
  assert.is(await payloadOf('{"id":1}'), "9201c0");
  assert.is(await payloadOf('{"carrier":{"t":"x"},"id":-1,"body":null}'), "93ffc081a174a178");
  assert.is(
    await payloadOf('{"id":1,"error":{"a":1}}', "--direction", "to-task"),
    "9301c081a16101",
  );
  assert.is(await payloadOf('{"offset":9,"length":1,"id":1}', "--direction=to-task"), "9301c0c0");
});

const VALUES: readonly (readonly [json: string, hex: string])[] = [
  ["1", "01"],
  ["-0", "00"],
  ["1.0", "cb3ff0000000000000"],
  ["1e3", "cb408f400000000000"],
  ["-0.0", "cb8000000000000000"],
  ["9007199254740993", "cf0020000000000001"],
  ["18446744073709551615", "cfffffffffffffffff"],
  ["-9223372036854775808", "d38000000000000000"],
  ['{"$":"int","v":"86699530287996692"}', "cf013404c371025f14"],
  ['{"$":"int","v":"5"}', "05"],
  ['{"$":"float","v":"1.0"}', "cb3ff0000000000000"],
  ['{"$":"float","v":"-0.0"}', "cb8000000000000000"],
  ['{"$":"float","v":"nan"}', "cb7ff8000000000000"],
  ['{"$":"float","v":"inf"}', "cb7ff0000000000000"],
  ['{"$":"float","v":"-inf"}', "cbfff0000000000000"],
  ['{"$":"bytes","hex":"00Ff"}', "c40200ff"],
  ['{"$":"bytes","hex":""}', "c400"],
  ['{"$":"datetime","iso":"2026-06-16T01:02:03+00:00","aware":true}', "d6ff6a30a08b"],
  [
    '{"$":"datetime","iso":"2026-06-16T03:02:03.123456+02:00","aware":true}',
    "d7ff1d6f28006a30a08b",
  ],
  ['{"$":"ext","code":5,"hex":"01"}', "d40501"],
  ['{"$":"ext","code":-1,"hex":"6a30a08b"}', "d6ff6a30a08b"],
  ['{"$":"map","entries":[[null,1],[[],{"$":"bytes","hex":"00"}]]}', "82c00190c40100"],
  ['{"$":"map","entries":[["$",1]]}', "81a12401"],
  ['{"b":1,"10":2,"1":3,"b":4}', "83a16204a2313002a13103"],
  ['{"__proto__":{"constructor":null}}', "81a95f5f70726f746f5f5f81ab636f6e7374727563746f72c0"],
  ['"\\u4e2d\\ud83d\\udc26\\"\\\\"', "a9e4b8adf09f90a6225c"],
  ["[ true , false,null ]", "93c3c2c0"],
];

for (const [json, hex] of VALUES) {
  test(`${json} is ${hex}`, async () => {
    assert.is(await valueHex(json), hex);
  });
}

const BAD: readonly (readonly [code: string, line: string])[] = [
  ["not-json", "{"],
  ["not-json", '{"id":1} x'],
  ["not-json", '{"id":1,}'],
  ["not-json", '{"id":01}'],
  ["not-json", '{"id":1,"body":{"a":NaN}}'],
  ["not-json", '{"id":1,"body":{"a":1e999}}'],
  ["not-json", '{"id":1,"body":{"a":"tab\there"}}'],
  ["not-json", '{"id":1,"body":{"a":[1 2]}}'],
  ["not-json", '{"id":1,"body":{"a" 1}}'],
  ["not-json", `{"id":1,"body":{"a":${"9".repeat(40)}}}`],
  ["not-json", '{"id":1,"body":{"a":"no end}}'],
  ["not-json", `{"id":1,"body":{"a":${"[".repeat(100_000)}`],
  ["bad-line", "[1]"],
  ["bad-line", "null"],
  ["bad-line", '{"id":1,"error":{"a":1}}'],
  ["bad-line", '{"id":1,"bodi":{}}'],
  ["bad-id", '{"body":{}}'],
  ["bad-id", '{"id":"1"}'],
  ["bad-id", '{"id":1.0}'],
  ["bad-id", '{"id":null}'],
  ["bad-body", '{"id":1,"body":[]}'],
  ["bad-body", '{"id":1,"body":{"$":"map","entries":[[1,2]]}}'],
  ["bad-carrier", '{"id":1,"carrier":{"a":1}}'],
  ["bad-carrier", '{"id":1,"carrier":"a"}'],
  ["bad-value", '{"id":1,"body":{"a":{"$":"nope"}}}'],
  ["bad-value", '{"id":1,"body":{"a":{"$":1}}}'],
  ["bad-value", '{"id":1,"body":{"a":{"$":"toString"}}}'],
  ["bad-value", '{"id":1,"body":{"a":{"$":"int","v":5}}}'],
  ["bad-value", '{"id":1,"body":{"a":{"$":"int","v":"5.0"}}}'],
  ["bad-value", '{"id":1,"body":{"a":{"$":"int","v":"5","w":1}}}'],
  ["bad-value", '{"id":1,"body":{"a":{"$":"float","v":"one"}}}'],
  ["bad-value", '{"id":1,"body":{"a":{"$":"bytes","hex":"0"}}}'],
  ["bad-value", '{"id":1,"body":{"a":{"$":"datetime","iso":"2026-06-16T00:00:00","aware":false}}}'],
  ["bad-value", '{"id":1,"body":{"a":{"$":"datetime","iso":"2026-06-16T00:00:00","aware":true}}}'],
  ["bad-value", '{"id":1,"body":{"a":{"$":"ext","code":200,"hex":""}}}'],
  ["bad-value", '{"id":1,"body":{"a":{"$":"ext","code":-1,"hex":"00"}}}'],
  ["bad-value", '{"id":1,"body":{"a":{"$":"map","entries":[[1]]}}}'],
  ["cannot-encode", '{"id":1,"body":{"a":{"$":"int","v":"18446744073709551616"}}}'],
  ["cannot-encode", '{"id":1,"body":{"a":"\\ud800"}}'],
  ["cannot-encode", `{"id":1,"body":{"a":${"[".repeat(3000)}${"]".repeat(3000)}}}`],
];

for (const [code, line] of BAD) {
  test(`${code}: ${line.slice(0, 70)}`, async () => {
    const run = await wire(["encode", "--json"], `{"id":1,"body":{}}\n\r\n${line}\n{"id":2}\n`);
    assert.is(run.code, 65);
    assert.is(codeOf(run), code);
    assert.is((JSON.parse(run.stderr) as { error: { line: number } }).error.line, 3);
    assert.is(run.stdout.toString("hex"), "00000003920180", "the frame before it is written");
  });
}

test("without --json the message has code and line", async () => {
  const run = await wire(["encode"], '{"id":1.5}');
  assert.match(run.stderr, /^parlance: \[bad-id\] line 1: id: /);
});

test("a line that is no UTF-8", async () => {
  const run = await wire(["encode", "--json"], Buffer.from('{"id":1,"body":{"\xff":1}}', "latin1"));
  assert.is(codeOf(run), "not-json");
});

test("1024 levels of entries, which are thrice as many of JSON", async () => {
  const levels = 1022;
  const open = '{"$":"map","entries":[[null,';
  const line = `{"id":0,"body":{"a":${open.repeat(levels)}1${"]]}".repeat(levels)}}}`;
  const payload = await payloadOf(line);
  assert.is(payload, `920081a161${"81c0".repeat(levels)}01`);
});

test("decode, then encode, is what it was: recorded frames", async () => {
  const url = new URL("../../framing/test/data/golden-frames.jsonl", import.meta.url);
  const recorded = readFileSync(url, "utf8").trim().split("\n");
  for (const direction of ["to-task", "to-supervisor"]) {
    const stream = recorded
      .map((line) => JSON.parse(line) as { direction: string; hex: string })
      .filter((golden) => golden.direction === direction)
      // Not those of writers that use wide headers, nor the probe with a fourth element.
      .filter((golden) => !/^.{8}(dd|94)/.test(golden.hex))
      .map((golden) => golden.hex)
      .join("");
    const flags = ["--direction", direction];
    const decoded = await wire(["decode", ...flags], Buffer.from(stream, "hex"));
    const encoded = await wire(["encode", ...flags], decoded.stdout, { pieceBytes: 777 });
    assert.ok(stream.length > 5000);
    assert.is(encoded.stdout.toString("hex"), stream);
  }
});

test("decode, then encode, is what it was: any JSON value, floats and integers told apart", async () => {
  const bodies = fc.array(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(
      bodies,
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
      async (list, id) => {
        const frames = list.map((body, index) =>
          index % 2 === 0
            ? encodeResponseFrame({ id, body, error: { id, at: new Date(index) } })
            : encodeResponseFrame({ id: index, body }),
        );
        const stream = Buffer.concat(frames);
        const decoded = await wire(["decode", "--direction", "to-task"], stream);
        const encoded = await wire(["encode", "--direction", "to-task"], decoded.stdout);
        bytesEqual(encoded.stdout, stream);
      },
    ),
    { numRuns: load(1_200) },
  );
  bytesEqual(
    (await wire(["encode"], '{"id":1,"body":{"a":1}}')).stdout,
    encodeRequestFrame({ id: 1, body: { a: 1 } }),
  );
});

test.run();
