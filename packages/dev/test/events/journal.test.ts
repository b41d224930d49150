import { test } from "uvu";
import * as assert from "uvu/assert";
import { EventJournal } from "../../dist/events/event-journal.js";
import { NewsThrottle } from "../../dist/events/news-throttle.js";

const event = (revision: number) => ({ type: "project", revision }) as const;

test("the events after one are given while they are kept", () => {
  const journal = new EventJournal("mark", 3);
  const start = journal.lastId;
  assert.equal(journal.after(start), []);
  const ids = [1, 2, 3].map((revision) => journal.add(event(revision)).id);
  const texts = (id: string) => journal.after(id)?.map(({ text }) => JSON.parse(text).revision);
  assert.equal(texts(start), [1, 2, 3]);
  assert.equal(texts(ids[1] ?? ""), [3]);
  assert.equal(texts(ids[2] ?? ""), []);
  journal.add(event(4));
  assert.is(journal.after(start), undefined);
  assert.equal(texts(ids[0] ?? ""), [2, 3, 4]);
  for (const id of ["", "x", "other.1", "mark.99", "mark.", "mark.1e3", "mark.-1"]) {
    assert.is(journal.after(id), undefined, id);
  }
});

test("news of one thing come at once, then seldom, and the last is never lost", () => {
  const told: number[] = [];
  const throttle = new NewsThrottle<number>((news) => told.push(news));
  for (let count = 0; count < 100; count++) throttle.add("a", count);
  throttle.add("b", 1_000);
  assert.equal(told, [0, 1_000]);
  throttle.close();
  assert.equal(told, [0, 1_000, 99]);
});

test.run();
