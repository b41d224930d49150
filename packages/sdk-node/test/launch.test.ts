import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseLaunchArguments, usageText } from "../dist/launch/arguments.js";

const parse = (...words: string[]) => parseLaunchArguments(["node", ...words]);
const address = (host: string, port: number) => ({ host, port });

test("both spellings, IPv6, other words between, the last one counts", () => {
  const expected = {
    mode: "task",
    comm: address("127.0.0.1", 1),
    logs: address("127.0.0.1", 2),
  };
  assert.equal(parse("x.js", "--comm=127.0.0.1:1", "--logs=127.0.0.1:2"), expected);
  assert.equal(parse("--comm", "127.0.0.1:1", "--logs", "127.0.0.1:2"), expected);
  assert.equal(
    parse("--comm=h:9", "--verbose", "--logs=127.0.0.1:2", "--comm=127.0.0.1:1", "--new"),
    expected,
  );
  assert.equal(parse("--comm=[::1]:80", "--logs=localhost:65535"), {
    mode: "task",
    comm: address("::1", 80),
    logs: address("localhost", 65_535),
  });
});

test("describe mode", () => {
  assert.equal(parse("x.js", "--describe-fd=3"), { mode: "describe", fd: 3 });
  assert.equal(parse("--describe"), { mode: "describe", fd: 1 });
  assert.is(parse("--describe-fd=x").mode, "none");
});

test("anything else is told in plain words", () => {
  const bad = [
    [],
    ["--comm=127.0.0.1:1"],
    ["--logs=127.0.0.1:1"],
    ["--comm", "--logs=127.0.0.1:1"],
    ["--comm=", "--logs=127.0.0.1:1"],
    ["--comm=127.0.0.1", "--logs=127.0.0.1:1"],
    ["--comm=127.0.0.1:0", "--logs=127.0.0.1:1"],
    ["--comm=127.0.0.1:65536", "--logs=127.0.0.1:1"],
    ["--comm=::1:80", "--logs=127.0.0.1:1"],
    ["--comm=a b:80", "--logs=127.0.0.1:1"],
  ];
  for (const words of bad) {
    const result = parse(...words);
    assert.is(result.mode, "none", words.join(" "));
    if (result.mode === "none") assert.match(usageText(result.problem), /--comm|--logs/);
  }
});

test.run();
