import { test } from "uvu";
import * as assert from "uvu/assert";
import { fillIn } from "../../dist/case/fill-in.js";

/** What stands for a parameter in a text. */
const PLACE = "$" + "{name}";

test("parameters: in keys, too, and long values", () => {
  const filled = fillIn({ [`by_${PLACE}`]: "$name", n: [{ $count: 3 }] }, { name: "uri" });
  assert.equal(filled, { by_uri: "uri", n: [[0, 1, 2]] });
  assert.equal(fillIn({ $keys: 2 }, {}), { "key 0": 0, "key 1": 1 });
  assert.is(fillIn({ $repeat: ["ab", 2] }, {}), "abab");
});

test("a name that is no parameter stays", () => {
  assert.is(fillIn("$other", { name: 1 }), "$other");
  assert.is(fillIn(`a ${PLACE}`, { other: 1 }), `a ${PLACE}`);
});

test.run();
