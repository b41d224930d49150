import { Bundle } from "@parlance/sdk-node";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseLaunchArguments } from "../dist/launch/arguments.js";
import { airflowMetadata } from "../dist/launch/describe.js";
import { usageText } from "../dist/launch/usage.js";
import { SDK_VERSION } from "../dist/version.js";

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

test("questions of packers", () => {
  assert.equal(parse("x.js", "--describe-fd=3"), { mode: "describe", fd: 3 });
  assert.equal(parse("--describe"), { mode: "describe", fd: 1 });
  assert.equal(parse("--airflow-metadata", "--format=json"), { mode: "metadata" });
  assert.is(parse("--describe-fd=x").mode, "wrong");
  assert.is(parse("--airflow-metadata", "--comm=h:1", "--logs=h:2").mode, "wrong");
});

test("arguments that are given by half are an error that names what is missing", () => {
  const wrong: readonly [string[], RegExp][] = [
    [["--comm=127.0.0.1:1"], /--logs=HOST:PORT is missing/],
    [["--logs=127.0.0.1:1"], /--comm=HOST:PORT is missing/],
    [["--comm", "--logs=127.0.0.1:1"], /--comm got "--logs=127/],
    [["--comm=", "--logs=127.0.0.1:1"], /--comm got ""/],
    [["--comm=127.0.0.1", "--logs=127.0.0.1:1"], /--comm got/],
    [["--comm=127.0.0.1:0", "--logs=127.0.0.1:1"], /--comm got/],
    [["--comm=127.0.0.1:1", "--logs=127.0.0.1:65536"], /--logs got/],
    [["--comm=::1:80", "--logs=127.0.0.1:1"], /--comm got/],
    [["--comm=a b:80", "--logs=127.0.0.1:1"], /--comm got/],
  ];
  for (const [words, problem] of wrong) {
    const launch = parse(...words);
    if (launch.mode !== "wrong") throw new Error(`${words.join(" ")} is ${launch.mode}`);
    assert.match(launch.problem, problem);
    assert.match(usageText(launch, new Bundle()), /can't run .* both --comm=HOST:PORT and --logs/s);
  }
});

test("by hand: what it is, what is in it and how to run that", () => {
  const launch = parse("x.js", "--mine");
  if (launch.mode !== "none") throw new Error(launch.mode);
  const bundle = new Bundle().task("7", "a", () => {}).task("d", "b", () => {});
  const text = usageText(
    launch,
    bundle.task("7", "c", () => {}),
  );
  assert.match(text, /^This program has tasks for Airflow/);
  assert.match(text, /^ {2}7: a, c\n {2}d: b$/m);
  assert.match(text, /parlance run ENTRY --dag 7 --task a$/m);
  assert.match(usageText(launch, new Bundle()), /no tasks yet/);
});

test("metadata for packers is one document, in order of registration", () => {
  const bundle = new Bundle().task("d", "b", () => {}).task("7", "a", () => {});
  const text = airflowMetadata(bundle);
  assert.match(text, /"dags":\{"d":\{"tasks":\["b"\]\},"7":\{"tasks":\["a"\]\}\}/);
  assert.equal(JSON.parse(text), {
    airflow_bundle_metadata_version: "1.0",
    sdk: {
      language: "typescript",
      version: SDK_VERSION,
      supervisor_schema_version: "2026-06-16",
    },
    dags: { d: { tasks: ["b"] }, 7: { tasks: ["a"] } },
    task_handlers: { d: { tasks: ["b"] }, 7: { tasks: ["a"] } },
  });
});

test.run();
