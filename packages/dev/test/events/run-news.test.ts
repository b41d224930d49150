import { SecretMasker } from "@parlance/coordinator";
import type { RunEvent } from "@parlance/coordinator/dag-run";
import type { DevEvent } from "@parlance/dev";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { RunNews } from "../../dist/events/run-news.js";
import { RunViews } from "../../dist/views/run-views.js";

const ref = { dagId: "d", runId: "r", taskId: "t", mapIndex: -1 };
const instance = (state: string) => ({
  ...ref,
  state,
  note: "about hunter2",
  renderedMapIndex: null,
});
const instanceEvent = (state: string) =>
  ({ type: "instance", instance: instance(state) }) as unknown as RunEvent;

test("the last state that is told is the last there is, however slow the history answers", async () => {
  const answers: ((state: string) => void)[] = [];
  const published: DevEvent[] = [];
  const masker = new SecretMasker();
  masker.add("hunter2");
  const history = {
    instance: () =>
      new Promise((resolve) => answers.push((state) => resolve(instance(state) as never))),
  };
  const news = new RunNews({
    history: history as never,
    views: new RunViews(masker),
    publish: (event) => published.push(event),
  });
  news.tell(instanceEvent("queued"), ref);
  news.tell(instanceEvent("running"), ref);
  news.tell(instanceEvent("success"), ref);
  assert.is(answers.length, 1, "one reading at a time");
  answers[0]?.("queued");
  await new Promise(setImmediate);
  assert.is(answers.length, 2, "and one more for all that came meanwhile");
  answers[1]?.("success");
  await new Promise(setImmediate);
  const states = published.map((event) => (event.type === "instance" ? event.instance.state : ""));
  assert.equal(states, ["queued", "success"]);
  assert.match(JSON.stringify(published), "about ***");
  assert.is(answers.length, 2);
});

test("a store that fails tells nothing, and does not throw", async () => {
  const published: DevEvent[] = [];
  const history = { instance: () => Promise.reject(new Error("gone")) };
  const news = new RunNews({
    history: history as never,
    views: new RunViews(new SecretMasker()),
    publish: (event) => published.push(event),
  });
  news.tell(instanceEvent("running"), ref);
  await new Promise(setImmediate);
  assert.equal(published, []);
});

test.run();
