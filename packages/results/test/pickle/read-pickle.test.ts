import {
  createSerializer,
  decodeStored,
  PythonFloat,
  readPickle,
  type SerializerError,
} from "@parlance/results";
import { fromHex, throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const text = (value: string) => Buffer.from(value, "latin1").toString("hex");

function read(hex: string, options = {}): unknown {
  return readPickle(fromHex(`8004${hex}`), options);
}

test("plain data of every kind", () => {
  assert.equal(read("284b014b024b03742e"), [1, 2, 3]);
  assert.equal(read("8889862e"), [true, false]);
  assert.is(read("8a002e"), 0);
  assert.is(read("8a01ff2e"), -1);
  assert.is(read("8b09000000ffffffffffffffff002e"), 2n ** 64n - 1n);
  assert.is(read("4affffffff2e"), -1);
  assert.is(read("4dffff2e"), 65535);
  assert.is(read(`49${text("12345678901234567890\n")}2e`), 12345678901234567890n);
  assert.is(read(`49${text("01\n")}2e`), true);
  assert.equal(read("4300942e"), new Uint8Array(0));
  assert.equal(read("960100000000000000612e"), Uint8Array.of(0x61));
  assert.is(read(`5503${text("abc")}2e`), "abc");
  assert.is(read("8c07eda08078edbfbf2e"), "\ud800x\udfff");
  assert.equal(read("8f94284b014b0190942e"), new Set([1]));
  assert.equal(read("284b014b0291942e"), new Set([1, 2]));
  assert.equal(read("473ff00000000000002e"), 1);
  assert.equal(read("473ff00000000000002e", { wrapFloats: true }), new PythonFloat(1));
});

test("dicts keep text keys as objects, others as a Map; later keys win", () => {
  assert.equal(
    read("7d284b018c01618c01624b02752e"),
    new Map<unknown, unknown>([
      [1, "a"],
      ["b", 2],
    ]),
  );
  assert.equal(read("7d8c01614b01738c01614b02732e"), { a: 2 });
  assert.equal(read("7d4b014b0173884b02732e"), new Map([[1, 2]]));
  assert.equal(Object.entries(read(`7d8c09${text("__proto__")}4b01732e`) as object), [
    ["__proto__", 1],
  ]);
});

test("memo: one list that is named twice is one array, and what contains itself is refused", () => {
  const value = read("5d945d94616801612e") as unknown[];
  assert.is(value[0], value[1]);
  const error = throws(() => read("5d946800612e"), "cannot-decode");
  assert.match(error.message, /contains itself/);
});

test("a small pickle can't stand for a great many values", () => {
  // each list holds the one before twice: 2^40 values
  const levels = Array.from({ length: 40 }, (_, at) => `5d942868${byte(at)}68${byte(at)}65`).join(
    "",
  );
  throws(() => read(`5d94${levels}2e`), "cannot-decode");
});

test("depth ends at 1,000 levels", () => {
  throws(() => read(`5d${"85".repeat(2000)}2e`), "cannot-decode");
  read(`5d${"85".repeat(900)}2e`);
});

test("what imports, calls or reaches outside is refused by name", () => {
  const refused: readonly (readonly [string, string | undefined, RegExp])[] = [
    [`63${text("os\nsystem\n")}8c026c738552${"2e"}`, "os.system", /imports os\.system/],
    [`69${text("os\nsystem\n")}2e`, "os.system", /./],
    ["8c026f738c0673797374656d932e", "os.system", /Read this row with Python/],
    [`63${text("a\x1b[2J\nb\n")}2e`, "a\\u001b[2J.b", /./],
    ["4e4e522e", undefined, /REDUCE/],
    ["4e4e622e", undefined, /BUILD/],
    ["4e29812e", undefined, /NEWOBJ/],
    ["82012e", undefined, /EXT1/],
    ["4e512e", undefined, /BINPERSID/],
    ["972e", undefined, /NEXT_BUFFER/],
  ];
  for (const [hex, name, message] of refused) {
    const error = throws(() => read(hex), "pickle-refused") as SerializerError;
    assert.is(error.globalName, name);
    assert.match(error.message, message);
  }
});

test("broken pickles are told", () => {
  for (const hex of [
    "",
    "4e",
    "2e",
    "302e",
    "652e",
    "4e4b01612e",
    "68052e",
    "8c05612e",
    "8dffffffffffffffff612e",
    "8bffffffff2e",
    "8c01ff2e",
    "5501ff2e",
    "7d284b01752e",
    "852e",
    "ff2e",
    `49${text("1e3\n")}2e`,
    "95",
    "9503000000000000004e2e",
  ]) {
    throws(() => read(hex), "cannot-decode");
  }
  throws(() => readPickle(fromHex("80064e2e")), "cannot-decode");
  throws(() => readPickle("x" as unknown as Uint8Array), "cannot-decode");
});

test("results fall back on pickle where the serializer fails and the first byte is 0x80", async () => {
  const json = await createSerializer("json");
  const msgpack = await createSerializer("msgpack");
  const yaml = await createSerializer("yaml");
  const pickle = fromHex("80044b2a2e");
  for (const serializer of [json, msgpack, yaml]) assert.is(decodeStored(pickle, serializer), 42);
  // a lone 0x80 is msgpack's {}, and no pickle under json
  assert.equal(decodeStored(fromHex("80"), msgpack), {});
  throws(() => decodeStored(fromHex("80"), json), "cannot-decode");
  throws(() => decodeStored(Buffer.from("(dp0\n."), json), "cannot-decode");
});

function byte(value: number): string {
  return value.toString(16).padStart(2, "0");
}

test.run();
