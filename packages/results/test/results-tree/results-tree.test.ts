import {
  decodeChildren,
  decodeGroup,
  encodeChildren,
  encodeGroup,
  type ResultNode,
} from "@parlance/results";
import { throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const task = (id: string, parent: ResultNode | null = null): ResultNode => ({
  kind: "task",
  id,
  parent,
});
const group = (id: string, members: ResultNode[], parent: ResultNode | null = null) =>
  ({ kind: "group", id, parent, members }) as const;

test("children and groups of any depth go both ways", () => {
  const nodes = [
    task("a", task("b", task("c"))),
    group("g", [task("d"), group("h", [])], group("p", [task("x")])),
  ];
  const value = [
    [["a", [["b", [["c", null], null]], null]], null],
    [
      ["g", [["p", null], [[["x", null], null]]]],
      [
        [["d", null], null],
        [["h", null], []],
      ],
    ],
  ];
  assert.equal(encodeChildren(nodes), value);
  assert.equal(decodeChildren(value), nodes);
  assert.equal(encodeGroup(group("h", [])), [["h", null], []]);
  assert.equal(decodeGroup([["h", null], []]), group("h", []));
});

test("no children are null; a bare id stands for itself", () => {
  assert.is(encodeChildren([]), null);
  assert.is(encodeChildren(null), null);
  assert.is(decodeChildren(null), null);
  assert.is(decodeGroup(null), null);
  assert.equal(decodeChildren([]), []);
  assert.equal(decodeChildren([["a", null]]), [task("a")]);
});

test("other shapes are refused, with their place", () => {
  for (const value of [
    1,
    {},
    [1],
    [["a"]],
    [[["a", null]]],
    [[[1, null], null]],
    [[["a", null], 5]],
    [[["a", [1]], null]],
  ]) {
    throws(() => decodeChildren(value), "cannot-decode");
  }
  throws(() => decodeGroup([["a", null], null]), "cannot-decode");
  throws(() => decodeGroup("g"), "cannot-decode");
  const cycle = { kind: "task", id: "a", parent: null as unknown };
  cycle.parent = cycle;
  for (const node of [
    null,
    "a",
    { kind: "x", id: "a", parent: null },
    task(""),
    cycle,
    { ...group("g", []), members: 1 },
  ]) {
    throws(() => encodeChildren([node as ResultNode]), "cannot-encode");
  }
  throws(() => encodeChildren("x" as unknown as ResultNode[]), "cannot-encode");
  throws(() => encodeGroup(task("a") as never), "cannot-encode");
  let deep: unknown = null;
  for (let level = 0; level < 5000; level++) deep = [["a", deep], null];
  throws(() => decodeChildren([deep]), "cannot-decode");
});

test.run();
