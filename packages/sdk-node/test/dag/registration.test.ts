import { dag, eachOf, fromArgument, fromTask, RegistrationError } from "@parlance/sdk-node";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type RefusedCase, refusal } from "../support/refusal.ts";

type Any = never;

const base = () =>
  dag("d")
    .task("a", () => [1])
    .group("g", (g) => g.task("b", () => 1));
const handler = () => 1;

const CASES: readonly RefusedCase[] = [
  [
    "a Dag id with a blank",
    () => dag("my dag"),
    /bad-id: dag\(…\): the id is the text "my dag", expected text of letters/,
  ],
  ["a Dag id of another type", () => dag(5 as Any), /bad-id: .* is 5/],
  ["an id that is too long", () => dag("x".repeat(251)), /bad-id: .*251 characters.*at most 250/],
  ["a task id with a dot", () => base().task("x.y", handler), /bad-id: .*\.group\(…\)/],
  [
    "a task twice",
    () => base().task("a", handler),
    /duplicate-task: .*there is a task "a" already/,
  ],
  [
    "a task named as a group",
    () => base().task("g", handler),
    /duplicate-task: .*there is a group "g" already/,
  ],
  [
    "a group named as a task",
    () => base().group("a", (g) => g.task("c", handler)),
    /duplicate-task/,
  ],
  ["a group twice", () => base().group("g", (g) => g.task("c", handler)), /duplicate-task/],
  ["a group with a dot", () => base().group("x.y", (g) => g.task("c", handler)), /bad-id/],
  [
    "an empty group",
    () => base().group("e", (g) => g as Any),
    /bad-option: .*no task was declared in the group/,
  ],
  [
    "a group that goes on later",
    () =>
      base().group("e", (async (g: { task(id: string, run: () => number): unknown }) =>
        g.task("x", handler)) as Any),
    /bad-option: .*what declares its tasks is a function, expected a function that is through/,
  ],
  [
    "no function as group",
    () => base().group("e", 5 as Any),
    /bad-handler: .*got 5, expected a function/,
  ],
  [
    "no handler",
    () => base().task("x", {}, undefined as Any),
    /bad-handler: .*got no handler, expected a function: \.task\("id", \{ … \}, handler\)/,
  ],
  [
    "an unknown task",
    () => base().task("x", { after: "aa" as Any }, handler),
    /unknown-task: dag\("d"\)\.task\("x", …\): after names "aa", expected .*; there are "a", "g\.b", "g"/,
  ],
  [
    "an unknown task before",
    () => base().task("x", { before: ["aa" as Any] }, handler),
    /unknown-task: .*before names "aa"/,
  ],
  [
    "an after of another type",
    () => base().task("x", { after: [5 as Any] }, handler),
    /bad-option: .*after \(or a part of it\) is 5/,
  ],
  [
    "a task after its own group",
    () => base().group("h", (h) => h.task("t", { after: "h" as Any }, handler)),
    /bad-option: .*the group that it is in itself/,
  ],
  [
    "an input of an unknown task",
    () => base().task("x", { inputs: { r: "aa" as Any } }, handler),
    /unknown-task: .*the input "r" is of the task "aa"/,
  ],
  [
    "an input of a group",
    () => base().task("x", { inputs: { r: fromTask("g") as Any } }, handler),
    /unknown-task: .*which is a group and has no result/,
  ],
  [
    "an input of another kind",
    () => base().task("x", { inputs: { r: 5 as Any } }, handler),
    /bad-option: .*the input "r" is 5, expected the id of a task/,
  ],
  [
    "inputs of another kind",
    () => base().task("x", { inputs: [] as Any }, handler),
    /bad-option: .*inputs is an empty array/,
  ],
  [
    "an argument as input",
    () => base().task("x", { inputs: { r: fromArgument() } }, handler),
    /bad-option: .*only a Dag in Python can give/,
  ],
  [
    "eachOf as input",
    () => base().task("x", { inputs: { r: eachOf("a") } }, handler),
    /bad-option: .*\{ forEach: \{ "r": "…" \} \}/,
  ],
  [
    "mapped over an unknown task",
    () => base().task("x", { forEach: { r: "aa" as Any } }, handler),
    /unknown-task: .*forEach\.r is of the task "aa"/,
  ],
  [
    "mapped over nothing",
    () => base().task("x", { forEach: {} }, handler),
    /bad-option: .*at least one name/,
  ],
  [
    "mapped over an empty list",
    () => base().task("x", { forEach: { r: [] } }, handler),
    /bad-option: .*at least one element/,
  ],
  [
    "mapped over no JSON",
    () => base().task("x", { forEach: { r: [() => 1] as Any } }, handler),
    /bad-option: .*forEach\.r/,
  ],
  [
    "mapped by a name of Airflow's",
    () => base().task("x", { forEach: { params: [1] } }, handler),
    /bad-option: .*"params", which Airflow keeps/,
  ],
  [
    "mapped by a word of Python's",
    () => base().task("x", { forEach: { None: [1] } }, handler),
    /bad-option: .*one that a parameter in Python can have/,
  ],
  [
    "mapped by no name of Python's",
    () => base().task("x", { forEach: { "a-b": [1] } }, handler),
    /bad-option: .*one that a parameter in Python can have/,
  ],
  [
    "mapped and an input",
    () => base().task("x", { inputs: { r: "a" }, forEach: { r: [1] } }, handler),
    /bad-option: .*choose two names/,
  ],
  [
    "a mapped branch",
    () => base().branch("x", { forEach: { r: [1] } } as Any, () => null),
    /bad-option: .*no option forEach/,
  ],
  [
    "a boolean as back-off",
    () => base().task("x", { retryExponentialBackoff: true as Any }, handler),
    /bad-option: .*is true, expected a number.*Write 2/,
  ],
  [
    "false as back-off",
    () => base().task("x", { retryExponentialBackoff: false as Any }, handler),
    /Write 0/,
  ],
  [
    "a negative back-off",
    () => base().task("x", { retryExponentialBackoff: -1 }, handler),
    /is -1, expected a number from 0/,
  ],
  [
    "a back-off of the Dag",
    () => dag("d", { taskDefaults: { retryExponentialBackoff: true as Any } }),
    /bad-option: dag\("d", …\): taskDefaults: .*Write 2/,
  ],
  [
    "an option of the Dag's defaults that is none",
    () => dag("d", { taskDefaults: { retrys: 1 } as Any }),
    /bad-option: dag\("d", …\): taskDefaults: there is no option retrys; there are owner/,
  ],
  [
    "retries as text",
    () => base().task("x", { retries: "3" as Any }, handler),
    /retries is the text "3", expected a whole number from 0/,
  ],
  [
    "a name of Python's",
    () => base().task("x", { retry_delay: 5 } as Any, handler),
    /there is no option retry_delay; it is called retryDelayMs here/,
  ],
  [
    "an unknown option",
    () => base().task("x", { colour: 5 } as Any, handler),
    /there is no option colour; there are after, before/,
  ],
  ["no options", () => base().task("x", 5 as Any, handler), /options is 5, expected an object/],
  [
    "a trigger rule",
    () => base().task("x", { triggerRule: "all" as Any }, handler),
    /triggerRule is the text "all", expected one of all_success, /,
  ],
  [
    "a trigger rule with failFast",
    () => dag("d", { failFast: true }).task("x", { triggerRule: "all_done" }, handler),
    /expected all_success, since the Dag has failFast/,
  ],
  [
    "always, and mapped over a result",
    () => base().task("x", { triggerRule: "always", forEach: { r: "a" } }, handler),
    /triggerRule is the text "always", expected another one/,
  ],
  [
    "a retry policy",
    () => base().task("x", { retryPolicy: 5 as Any }, handler),
    /retryPolicy is 5, expected a function/,
  ],
  [
    "an outlet",
    () => base().task("x", { outlets: [{ name: "a" }] as Any }, handler),
    /one of outlets is an object, expected asset\(…\)/,
  ],
  [
    "no choices",
    () => base().branch("x", { choices: [] }, () => null),
    /choices is an empty array/,
  ],
  [
    "a choice that never came",
    () => base().branch("x", { choices: ["y"] }, () => "y").model,
    /unknown-task: .*choices has "y", which was never declared/,
  ],
  [
    "a branch to itself",
    () => base().branch("x", { choices: ["x"] }, () => "x").model,
    /the branch itself/,
  ],
  ["no tasks", () => dag("d").model, /bad-option: dag\("d"\) has no tasks/],
  [
    "a circle",
    () =>
      base().task("b", { after: "a" }, handler).task("c", { after: "b", before: "a" }, handler)
        .model,
    /dependency-cycle: .*"a" → "b" → "c" → "a"|"b" → "c" → "a" → "b"|"c" → "a" → "b" → "c"/,
  ],
  [
    "a circle through a group",
    () => base().task("b", { after: "g", before: "g" }, handler).model,
    /dependency-cycle: .*"g\.b" → "b" → "g\.b"|"b" → "g\.b" → "b"/,
  ],
];

for (const [name, call, expected] of CASES) {
  test(`refused: ${name}`, () => assert.match(refusal(call), expected));
}

test("a call that is refused changes nothing", () => {
  const flow = base();
  refusal(() =>
    flow.group("h", (h) => {
      h.task("t", handler);
      throw new RegistrationError("bad-option", "x");
    }),
  );
  refusal(() => flow.task("x", { after: "nope" as Any }, handler));
  flow.group("h", (h) => h.task("u", handler));
  assert.equal(
    flow.model.tasks.map(({ taskId }) => taskId),
    ["a", "g.b", "h.u"],
  );
});

test.run();
