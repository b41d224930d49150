import { test } from "uvu";
import * as assert from "uvu/assert";
import { createLogger, type LogHub } from "../../dist/logs/logger.js";

type Emitted = [level: string, logger: string, event: string, fields: unknown];

function record(allows: LogHub["allows"] = () => true) {
  const emitted: Emitted[] = [];
  const hub: LogHub = {
    allows,
    emit: (...args) => void emitted.push(args),
    flush: () => Promise.resolve(),
    drained: () => Promise.resolve(),
  };
  return { emitted, log: createLogger(hub, "task") };
}

test("every method writes its level, warn is warning, none needs `this`", () => {
  const { emitted, log } = record();
  const { debug, info, warn, warning, error, critical } = log;
  for (const method of [debug, info, warn, warning, error, critical]) method("e", { a: 1 });
  assert.equal(
    emitted.map(([level]) => level),
    ["debug", "info", "warning", "warning", "error", "critical"],
  );
  assert.equal(emitted[0], ["debug", "task", "e", { a: 1 }]);
});

test("children have dotted names and carry fields", () => {
  const { emitted, log } = record();
  log.child("db", { pool: 1, a: 0 }).with({ b: 2 }).info("q", { a: 3 });
  assert.equal(emitted, [["info", "task.db", "q", { pool: 1, a: 3, b: 2 }]]);
  assert.is(log.child("a").child("b").name, "task.a.b");
});

test("what is no text and no fields is kept all the same", () => {
  const { emitted, log } = record();
  const error = new TypeError("boom");
  const call = log.info as (...args: unknown[]) => void;
  call(error);
  call("e", error);
  call({ a: 1 });
  call(undefined);
  call("e", 1, "two");
  call("e", [1]);
  call("e", new Map([["k", 1]]));
  assert.equal(
    emitted.map(([, , event, fields]) => [event, fields]),
    [
      ["TypeError: boom", { error }],
      ["e", { error }],
      ['{"a":1}', {}],
      ["undefined", {}],
      ["e", { args: [1, "two"] }],
      ["e", { args: [1] }],
      ["e", { k: 1 }],
    ],
  );
});

test("records that are filtered cost nothing: fields are not even read", () => {
  const { emitted, log } = record((level) => level !== "debug");
  log.debug("e", {
    get x(): never {
      throw new Error("read");
    },
  });
  assert.is(emitted.length, 0);
  assert.is(log.isEnabled("debug"), false);
});

test("never throws into user code", () => {
  const { emitted, log } = record();
  const hostile = new Proxy(
    {},
    {
      ownKeys() {
        throw new Error("trap");
      },
    },
  );
  log.info("a", hostile);
  log.info("b", {
    get x(): never {
      throw new Error("getter");
    },
    y: 1,
  });
  log.info({
    toJSON: () => {
      throw new Error("json");
    },
  });
  assert.is(emitted.length, 3);
  assert.equal(emitted[1], ["info", "task", "b", { x: "[threw: Error: getter]", y: 1 }]);
});

test.run();
