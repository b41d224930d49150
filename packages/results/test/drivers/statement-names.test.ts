import { test } from "uvu";
import * as assert from "uvu/assert";
import { StatementNames } from "../../dist/drivers/statement-names.js";

test("a statement is named when it comes again, by its text", () => {
  const names = new StatementNames();
  assert.is(names.nameOf("SELECT 1"), undefined);
  const name = names.nameOf("SELECT 1");
  assert.match(name ?? "", /^parlance_[0-9a-f]{32}$/);
  assert.is(names.nameOf("SELECT 1"), name);
  const other = new StatementNames();
  other.nameOf("SELECT 2");
  other.nameOf("SELECT 1");
  assert.is(other.nameOf("SELECT 1"), name, "behind a pooler one name is one text");
  assert.is.not(other.nameOf("SELECT 2"), name);
});

test("texts beyond a hundred are not remembered", () => {
  const names = new StatementNames();
  for (let i = 0; i < 100; i++) names.nameOf(`SELECT ${i}`);
  names.nameOf("one more");
  assert.is(names.nameOf("one more"), undefined);
  assert.ok(names.nameOf("SELECT 99"));
});

test("a name that the server lost ends naming; other errors do not", () => {
  const names = new StatementNames();
  names.nameOf("SELECT 1");
  for (const error of [new Error("x"), { code: "23505" }, null, { code: 5 }])
    assert.not(names.isLost(error));
  assert.ok(names.nameOf("SELECT 1"));
  assert.ok(names.isLost({ code: "26000" }));
  assert.is(names.nameOf("SELECT 1"), undefined);
});

test.run();
