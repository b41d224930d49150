import { EventEmitter } from "node:events";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { captureWarnings } from "../../dist/logs/capture-warnings.js";
import { captureConsole } from "../../dist/logs/console-capture.js";
import type { LogHub } from "../../dist/logs/logger.js";

function hub() {
  const emitted: unknown[][] = [];
  const target: LogHub = {
    allows: () => true,
    emit: (...args) => void emitted.push(args),
    flush: () => Promise.resolve(),
    drained: () => Promise.resolve(),
  };
  return { emitted, target };
}

function fakeProcess(facts: object = {}) {
  const fake = Object.assign(new EventEmitter(), { execArgv: [], env: {} }, facts);
  const printed: unknown[] = [];
  fake.on("warning", (warning) => printed.push(warning));
  return { fake: fake as unknown as NodeJS.Process, printed };
}

const warning = (name: string, message: string, facts: object = {}) =>
  Object.assign(new Error(message), { name }, facts);

test("warnings of the process are records of level warning, and no longer printed", () => {
  const { emitted, target } = hub();
  const { fake, printed } = fakeProcess();
  const heard: unknown[] = [];
  fake.on("warning", (value) => heard.push(value));
  captureWarnings(fake, target);
  fake.emit("warning", warning("DeprecationWarning", "old", { code: "DEP0005" }));
  fake.emit("warning", warning("MaxListenersExceededWarning", "leak", { detail: "more" }));
  assert.equal(emitted, [
    ["warning", "task.warnings", "DeprecationWarning: old", { code: "DEP0005" }],
    ["warning", "task.warnings", "MaxListenersExceededWarning: leak", { detail: "more" }],
  ]);
  assert.is(printed.length, 0);
  assert.is(heard.length, 2);
});

test("what Node would not print is no record either", () => {
  const { emitted, target } = hub();
  const quiet = fakeProcess({ noDeprecation: true, execArgv: ["--disable-warning=DEP1"] });
  captureWarnings(quiet.fake, target);
  quiet.fake.emit("warning", warning("DeprecationWarning", "old"));
  quiet.fake.emit("warning", warning("Warning", "odd", { code: "DEP1" }));
  const silent = fakeProcess();
  silent.fake.removeAllListeners("warning"); // --no-warnings
  captureWarnings(silent.fake, target);
  silent.fake.emit("warning", warning("Warning", "any"));
  assert.equal(emitted, []);
});

test("with --trace-warnings they have their stack", () => {
  const { emitted, target } = hub();
  const { fake } = fakeProcess({ traceProcessWarnings: true });
  captureWarnings(fake, target);
  const leak = warning("Warning", "leak");
  fake.emit("warning", leak);
  assert.equal(emitted[0]?.[3], { error: leak });
});

test("an error given to console.error is the record's exception, once", () => {
  const { emitted, target } = hub();
  const fake = {} as Console;
  captureConsole(fake, target);
  const error = Object.assign(new TypeError("bad"), { code: "E1" });
  fake.error("failed:", error);
  fake.warn("plain %d", 1);
  fake.info(error.message, error);
  assert.equal(emitted[0], [
    "error",
    "task.console",
    "failed: TypeError: bad { code: 'E1' }",
    { error },
  ]);
  assert.equal(emitted[1], ["warning", "task.console", "plain 1", undefined]);
  assert.match(String(emitted[2]?.[2]), /^bad TypeError: bad\n {4}at /);
});

test.run();
