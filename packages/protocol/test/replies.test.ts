import {
  CATALOGUE,
  CHANNELS,
  ERROR_TYPES,
  isTerminalMessage,
  REPLIES,
  TERMINAL_MESSAGES,
  terminalState,
  UNHANDLED_REQUESTS,
} from "@parlance/protocol";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readSchema } from "./support/read-data.ts";

test("every message that a task can send has a reply that a task can receive", () => {
  assert.equal(Object.keys(REPLIES).sort(), [...CATALOGUE["2026-10-30"]["to-supervisor"]]);
  for (const [request, { type, errors }] of Object.entries(REPLIES)) {
    if (type !== null) assert.ok(CATALOGUE["2026-10-30"]["to-task"].includes(type), request);
    for (const error of errors) assert.ok(ERROR_TYPES.includes(error), request);
  }
  for (const name of UNHANDLED_REQUESTS) assert.is(REPLIES[name].type, null);
});

test("every reply that stock can send answers some request", () => {
  const answers = new Set(Object.values(REPLIES).map(({ type }) => type));
  const unasked = new Set(["StartupDetails", "DagFileParseRequest", "ErrorResponse"]);
  // Goes both ways in Airflow's unions; as an answer nothing sends it.
  unasked.add("CreateHITLDetailPayload");
  for (const name of CATALOGUE["2026-10-30"]["to-task"]) {
    assert.is(answers.has(name as never), !unasked.has(name), name);
  }
});

test("requests of the Dag-parse channel are requests of the task channel", () => {
  for (const { task, "dag-parse": parse } of Object.values(CHANNELS)) {
    const known: readonly string[] = task["to-supervisor"];
    const own = parse["to-supervisor"].filter((name) => !known.includes(name));
    assert.equal(own, ["DagFileParsingResult"]);
  }
});

test("terminal messages carry the states that Airflow's schema gives them", () => {
  const { $defs } = readSchema("2026-10-30");
  for (const [type, state] of Object.entries(TERMINAL_MESSAGES)) {
    const allowed = $defs[type]?.properties?.["state"];
    assert.is(allowed?.const ?? null, state, type);
    if (state === null) assert.equal(allowed?.enum, ["failed", "skipped", "removed"]);
  }
});

test("the state of a terminal message is its own or its message's", () => {
  assert.is(terminalState({ type: "SucceedTask" }), "success");
  assert.is(terminalState({ type: "TaskState", state: "skipped" }), "skipped");
  assert.is(terminalState({ type: "TaskState", state: "success" }), undefined);
  assert.is(terminalState({ type: "SkipDownstreamTasks" }), undefined);
  assert.is(terminalState({ type: "toString" }), undefined);
  assert.not(isTerminalMessage(null));
});

test.run();
