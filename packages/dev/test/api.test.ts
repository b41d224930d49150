import type { DevEvent } from "@parlance/dev";
import { test } from "uvu";
import * as assert from "uvu/assert";

test("an event is told from others by its type", () => {
  const event: DevEvent = { type: "project", revision: 1 };
  assert.is(event.type, "project");
});

test.run();
