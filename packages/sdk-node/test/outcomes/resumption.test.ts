import { DeferralError } from "@parlance/sdk-node";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { StartupDetails } from "../../dist/context.js";
import { readResumption } from "../../dist/runtime/read-resumption.js";

const read = (method: string, kwargs: unknown) =>
  readResumption({ next: { method, kwargs } } as StartupDetails);

const moment = {
  ...{ __classname__: "datetime.datetime", __version__: 2 },
  __data__: { timestamp: 1_781_571_723.5, tz: null },
};

test("a task that was not resumed has nothing", () => {
  assert.is(readResumption({ next: null } as StartupDetails), null);
});

test("event and kwargs, Python's values among them, as a map, as text or not at all", () => {
  const given = { n: 1, event: { at: moment } };
  for (const sent of [given, JSON.stringify(given)]) {
    const { event, ...rest } = read("m", sent) ?? {};
    assert.equal(rest, { method: "m", kwargs: { n: 1 }, answer: null });
    assert.is((event as { at: Date }).at.getTime(), 1_781_571_723_500);
  }
  const none = { method: "m", event: undefined, kwargs: {}, answer: null };
  for (const nothing of [null, undefined, "", {}]) assert.equal(read("m", nothing), none);
  assert.throws(() => read("m", [1]), /are no map/);
});

test("an answer of a person, and the defaults when the time was over", () => {
  const event = {
    ...{ chosen_options: ["a", "b"], params_input: { n: 1 }, timedout: false },
    ...{ responded_at: moment, responded_by_user: { id: "7", name: "Ada" } },
  };
  assert.equal(read("m", { event })?.answer, {
    ...{ chosenOptions: ["a", "b"], params: { n: 1 } },
    ...{ respondedAt: new Date(1_781_571_723_500), timedOut: false },
    respondedBy: { id: "7", name: "Ada" },
  });
  const late = { ...event, responded_by_user: null, params_input: null, timedout: true };
  const answer = read("m", { event: late })?.answer;
  assert.equal([answer?.respondedBy, answer?.params, answer?.timedOut], [null, {}, true]);
});

test("what failed instead, with what Python says of it", () => {
  const failure = (kwargs: object): DeferralError => {
    try {
      read("__fail__", kwargs);
    } catch (error) {
      if (error instanceof DeferralError) return error;
    }
    throw new Error("expected a DeferralError");
  };
  const late = failure({ error: "Trigger timeout" });
  assert.equal([late.code, late.traceback], ["trigger-timeout", null]);
  const broken = failure({ error: "Trigger failure", traceback: ["Trace:\n", "ValueError: no\n"] });
  assert.equal([broken.code, broken.traceback], ["trigger-failed", "Trace:\nValueError: no\n"]);
  assert.is(broken.message, "the trigger failed: Trigger failure: ValueError: no");
  assert.is(failure({}).message, "the trigger failed: Unknown");
});

test.run();
