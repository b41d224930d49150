import { pino } from "pino";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createLogger, type LogHub } from "../dist/logs/logger.js";
import { createPinoDestination } from "../dist/pino/pino-destination.js";

type Emitted = [level: string, logger: string, event: string, fields: Record<string, unknown>];

function open(options: pino.LoggerOptions = {}, destination = {}) {
  const emitted: Emitted[] = [];
  const hub: LogHub = {
    allows: () => true,
    emit: (level, logger, event, fields) => {
      emitted.push([level, logger, event, { ...fields }]);
    },
    flush: () => Promise.resolve(),
    drained: () => Promise.resolve(),
  };
  const stream = createPinoDestination((name) => createLogger(hub, name), destination);
  return { emitted, log: pino({ level: "trace", ...options }, stream) };
}

test("levels, message, fields and children arrive as what they are", () => {
  const { emitted, log } = open({ name: "sales" });
  log.trace("t");
  log.debug({ rows: 7, level_: 1 }, "d %s", "x");
  log.child({ part: 2 }).warn("w");
  log.error("e");
  log.fatal({ nested: { a: [1] } });
  assert.equal(emitted, [
    ["debug", "sales", "t", {}],
    ["debug", "sales", "d x", { rows: 7, level_: 1 }],
    ["warning", "sales", "w", { part: 2 }],
    ["error", "sales", "e", {}],
    ["critical", "sales", "", { nested: { a: [1] } }],
  ]);
});

test("an error is an error again, with causes and properties", () => {
  const { emitted, log } = open();
  const cause = new TypeError("deep\nlines");
  log.error(Object.assign(new RangeError("far", { cause }), { code: "E7" }), "no luck");
  const [level, logger, event, fields] = emitted[0] ?? [];
  assert.equal([level, logger, event], ["error", "pino", "no luck"]);
  const error = fields?.["err"] as Error & { code?: string; cause: Error };
  assert.equal([error.name, error.message, error.code], ["RangeError", "far", "E7"]);
  assert.match(error.stack ?? "", /^RangeError: far\n {4}at .*pino\.test/);
  assert.equal([error.cause.name, error.cause.message], ["TypeError", "deep\nlines"]);
});

test("redaction, other keys, level words and other formats are kept", () => {
  const { emitted, log } = open(
    {
      redact: ["password"],
      messageKey: "message",
      errorKey: "error",
      formatters: { level: (label) => ({ level: label }) },
    },
    { name: "n", messageKey: "message", errorKey: "error" },
  );
  log.warn({ password: "p", error: "plain" }, "m");
  assert.equal(emitted[0], ["warning", "n", "m", { error: "plain", password: "[Redacted]" }]);
  const stream = createPinoDestination((name) =>
    createLogger(
      {
        allows: () => true,
        emit: (...args) => void emitted.push(args as unknown as Emitted),
        flush: () => Promise.resolve(),
        drained: () => Promise.resolve(),
      },
      name,
    ),
  );
  stream.write("[12:00] pretty\n");
  assert.equal(emitted[1], ["info", "pino", "[12:00] pretty", {}]);
});

test.run();
