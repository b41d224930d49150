import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeRequestFrame, encodeResponseFrame, Float, Timestamp } from "@parlance/framing";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { PACKAGE } from "./support/cli.ts";
import { codeOf, frame, linesOf, wire } from "./support/wire.ts";

const GOOD = frame("920180");
const GOOD_LINE = '{"offset":0,"length":3,"id":1,"body":{},"carrier":null}\n';

test("to-supervisor is the default; offset is the frame's, length the payload's", async () => {
  const second = frame("93ffc081a161a162");
  const run = await wire(["decode"], Buffer.concat([GOOD, second]), { pieceBytes: 1 });
  assert.is(run.code, 0);
  const line = '{"offset":7,"length":8,"id":-1,"body":null,"carrier":{"a":"b"}}\n';
  assert.is(run.stdout.toString(), GOOD_LINE + line);
  assert.is(run.stderr, "");
});

test("to-task prints the error element; absent elements are null", async () => {
  const run = await wire(["decode", "--direction", "to-task"], frame("9105"));
  assert.is(run.stdout.toString(), '{"offset":0,"length":2,"id":5,"body":null,"error":null}\n');
});

test("no frames at all is a clean end", async () => {
  const run = await wire(["decode"], "");
  assert.equal([run.code, run.stdout.length, run.stderr], [0, 0, ""]);
});

const FAULTS: readonly (readonly [code: string, bytes: Buffer])[] = [
  ["truncated", Buffer.from("0000", "hex")],
  ["truncated", Buffer.from("0000000592", "hex")],
  ["too-large", Buffer.from("00000400", "hex")],
  ["empty-frame", Buffer.from("00000000", "hex")],
  ["not-msgpack", frame("c1")],
  ["not-msgpack", frame("920081a161a1ff")],
  ["not-msgpack", frame("920081a174d7ffee6b280000000005")],
  ["not-msgpack", frame("9200dd7fffffff")],
  ["not-msgpack", frame(`9200${"81a161".repeat(300)}c1`)],
  ["trailing-bytes", frame("9200c001")],
  ["bad-arity", frame("80")],
  ["bad-arity", frame("9100")],
  ["bad-id", frame("92a130c0")],
  ["bad-id", frame("92cb3ff0000000000000c0")],
  ["bad-body", frame("920091c0")],
  ["bad-body", frame("92008101a161")],
  ["bad-carrier", frame("9300c081a16101")],
];

for (const [code, bytes] of FAULTS) {
  test(`${code}: ${bytes.toString("hex").slice(0, 40)}: good frames first, then 65`, async () => {
    const input = Buffer.concat([GOOD, bytes]);
    const flags = ["decode", "--max-frame-bytes", "1000"];
    const run = await wire([...flags, "--json"], input);
    assert.is(run.code, 65);
    assert.is(run.stdout.toString(), GOOD_LINE);
    assert.is(codeOf(run), code);
    assert.match(run.stderr, /^\{"error":\{"offset":7,/);
    const plain = await wire(flags, input, { pieceBytes: 1 });
    assert.is(plain.stdout.toString(), GOOD_LINE);
    assert.match(plain.stderr, new RegExp(`^parlance: \\[${code}\\] frame 2, at byte 7: .+\\n$`));
  });
}

test("512 levels pass, 10,000 are not-msgpack", async () => {
  const nested = (levels: number): Buffer => frame(`920081a161${"91".repeat(levels - 2)}c0`);
  assert.is((await wire(["decode"], nested(512))).code, 0);
  assert.is(codeOf(await wire(["decode", "--json"], nested(10_000))), "not-msgpack");
});

test("values that JSON can't hold", async () => {
  const body = new Map<string, unknown>([
    ["big", 2n ** 64n - 1n],
    ["safe", 2 ** 53 - 1],
    ["floats", [new Float(1), -0, 0.5, 2 ** 53, 1e300, Number.NaN, Number.NEGATIVE_INFINITY]],
    ["bytes", Uint8Array.of(0, 255)],
    ["at", Timestamp.parse("2026-06-16T01:02:03.123456+00:00")],
    ["fine", Timestamp.parse("2026-06-16T01:02:03.123456789+00:00")],
    ["far", new Timestamp(2n ** 40n, 5)],
    [
      "map",
      new Map<unknown, unknown>([
        [null, 1],
        ["a", [2]],
      ]),
    ],
    ["$", { $: "int", v: "1" }],
    ["10", 1],
    ["1", 2],
    ["__proto__", {}],
  ]);
  const expected =
    '{"big":{"$":"int","v":"18446744073709551615"},"safe":9007199254740991,' +
    '"floats":[1.0,-0.0,0.5,9007199254740992.0,1e+300,{"$":"float","v":"nan"},' +
    '{"$":"float","v":"-inf"}],"bytes":{"$":"bytes","hex":"00ff"},' +
    '"at":{"$":"datetime","iso":"2026-06-16T01:02:03.123456+00:00","aware":true},' +
    '"fine":{"$":"datetime","iso":"2026-06-16T01:02:03.123456789+00:00","aware":true},' +
    '"far":{"$":"ext","code":-1,"hex":"000000050000010000000000"},' +
    '"map":{"$":"map","entries":[[null,1],["a",[2]]]},"10":1,"1":2,"__proto__":{}}';
  const dollar = body.get("$");
  body.delete("$");
  const run = await wire(["decode"], encodeRequestFrame({ id: 2n ** 63n, body }));
  const text = run.stdout.toString();
  assert.ok(text.includes(`"id":{"$":"int","v":"9223372036854775808"},"body":${expected},`), text);
  const marked = await wire(["decode"], encodeRequestFrame({ id: 1, body: { $: dollar } }));
  const inner = '{"$":"map","entries":[["$","int"],["v","1"]]}';
  assert.ok(marked.stdout.includes(`"body":{"$":"map","entries":[["$",${inner}]]}`));
});

test("a large text and large bytes come out whole", async () => {
  const text = `${"é🐦\n".repeat(700_000)}`;
  const bytes = new Uint8Array(1_500_000).fill(7);
  const run = await wire(
    ["decode", "--direction", "to-task"],
    encodeResponseFrame({ id: 1, body: { text, bytes } }),
  );
  const [line] = linesOf<{ body: { text: string; bytes: { hex: string } } }>(run);
  assert.ok(line?.body.text === text);
  assert.ok(line?.body.bytes.hex === "07".repeat(1_500_000));
});

test("control characters are escaped, which is still the same JSON", async () => {
  const body = { v: "\u009b31m \u202e \u001b" };
  const bytes = encodeRequestFrame({ id: 1, body });
  const shown = await wire(["decode"], bytes);
  assert.ok(shown.stdout.includes('"\\u009b31m \\u202e \\u001b"'));
  assert.equal(linesOf<{ body: unknown }>(shown)[0]?.body, body);
});

test("no line of output holds what a reader may take for a line end", async () => {
  // U+0085, U+2028 and U+2029: Python's str.splitlines cuts there, JSON allows them as they are
  const run = await wire(["decode"], frame("920082a2c28501a3e280a8a3e280a9"));
  assert.is(run.stderr, "");
  assert.match(run.stdout.toString(), /^[^\u0085\u2028\u2029]*$/);
  assert.match(run.stdout.toString(), /"\\u0085":1,"\\u2028":"\\u2029"/);
});

test("a file, and a file that cannot be read", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "a.bin"), GOOD);
  const run = await wire(["decode", "a.bin"], "", { cwd: folder });
  assert.is(run.stdout.toString(), GOOD_LINE);
  assert.is((await wire(["decode", "-"], GOOD)).stdout.toString(), GOOD_LINE);
  for (const name of ["missing.bin", "."]) {
    const failed = await wire(["decode", name, "--json"], "", { cwd: folder });
    assert.is(failed.code, 65);
    assert.is(codeOf(failed), "cannot-read");
  }
});

test("a limit or a direction that makes no sense is wrong usage", async () => {
  for (const limit of ["0", "-1", "1.5", "4294967296", "x", ""]) {
    assert.is((await wire(["decode", `--max-frame-bytes=${limit}`], GOOD)).code, 2, limit);
  }
  assert.is((await wire(["decode", "--direction", "sideways"], GOOD)).code, 2);
  assert.is((await wire(["decode", "--max-frame-bytes", "4294967295"], GOOD)).code, 0);
  assert.is((await wire(["decode", "--max-frame-bytes", "3"], GOOD)).code, 0);
  assert.is((await wire(["decode", "--max-frame-bytes", "2"], GOOD)).code, 65);
});

test("a reader that goes away ends it, without a word", async () => {
  const child = spawn(process.execPath, [join(PACKAGE, "bin/parlance.js"), "wire", "decode"]);
  let stderr = "";
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  child.stdin.on("error", () => {});
  child.stdin.write(GOOD);
  await once(child.stdout, "data"); // printed while stdin is still open
  child.stdout.destroy();
  const exited = once(child, "exit");
  const feeding = setInterval(() => child.stdin.write(Buffer.concat([GOOD, GOOD])), 5);
  const [code] = await exited;
  clearInterval(feeding);
  assert.is(code, 0);
  assert.is(stderr, "");
});

test("SIGTERM ends it at once", async () => {
  const child = spawn(process.execPath, [join(PACKAGE, "bin/parlance.js"), "wire", "decode"]);
  child.stdin.write(GOOD);
  await once(child.stdout, "data");
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  assert.is(code, 143);
});

test.run();
