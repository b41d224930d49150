import { brokenRules } from "@parlance/conformance";
import { encodeRequestFrame } from "@parlance/framing";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FrameLog } from "../../dist/link/frame-log.js";

type Evidence = Parameters<typeof brokenRules>[0];

const SUCCESS = {
  type: "SucceedTask",
  state: "success",
  end_date: "2026-06-16T01:02:03Z",
  task_outlets: [],
  outlet_events: [],
};

function rules(frames: readonly Uint8Array[], more: Partial<Evidence> = {}): readonly string[] {
  const log = new FrameLog();
  for (const bytes of frames) log.note("to-supervisor", bytes);
  return brokenRules({
    version: "2026-10-30",
    result: { finalState: "success", exitCode: 0, durationMs: 1 },
    frames: log.frames,
    leftUnanswered: [],
    records: [],
    supervisor: [],
    xcoms: {},
    variables: {},
    seconds: 1,
    late: false,
    ...more,
  } as Evidence).map(({ rule }) => rule);
}

/** A frame of four elements. */
function four(last: Uint8Array): Uint8Array {
  const bytes = Buffer.concat([encodeRequestFrame({ id: 1, body: SUCCESS, carrier: {} }), last]);
  bytes[4] = 0x94;
  bytes.writeUInt32BE(bytes.length - 4);
  return bytes;
}

const frame = (id: number, body: object): Uint8Array => encodeRequestFrame({ id, body });

test("a run in which nothing is broken", () => {
  assert.equal(rules([frame(1, SUCCESS)]), []);
});

test("frames: ids, readability, bodies, a second report", () => {
  assert.equal(rules([frame(1, { type: "GetVariableKeys" }), frame(1, SUCCESS)]), [
    "frames/ids-of-their-own",
  ]);
  assert.equal(rules([Buffer.of(0, 0, 0, 1, 0xc1)]), ["frames/readable"]);
  assert.equal(rules([frame(1, { type: "GetVariable" })]), ["messages/valid"]);
  assert.equal(rules([frame(1, SUCCESS), frame(2, SUCCESS)]), ["end/one-terminal-message"]);
});

test("a fourth element is null, or the id of a task instance", () => {
  const text = "0192f3c4-5d6e-7f80-9a1b-2c3d4e5f6071";
  assert.equal(rules([four(Buffer.of(0xc0))]), []);
  assert.equal(rules([four(Buffer.from(`\xd9\x24${text}`, "latin1"))]), []);
  assert.equal(rules([four(Buffer.of(0xa1, 0x78))]), ["frames/fourth-element"]);
});

test("the log: lines that are no records, and fields that Airflow breaks on", () => {
  const record = { timestamp: null, level: "info", logger: "x", event: "e" } as const;
  assert.equal(rules([], { supervisor: [{ ...record, line: "[]" }] }), ["logs/readable-lines"]);
  assert.equal(rules([], { records: [{ ...record, msg: 1 }] }), ["logs/names-of-fields"]);
});

test("a report whose answer was not waited for", () => {
  assert.equal(rules([], { leftUnanswered: ["GetXCom"] }), []);
  assert.equal(rules([], { leftUnanswered: ["SucceedTask"] }), ["end/report-confirmed"]);
});

test.run();
