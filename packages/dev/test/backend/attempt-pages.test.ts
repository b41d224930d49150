import { type LogRecord, SecretMasker } from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readFrames, readLog } from "../../dist/backend/attempt-pages.js";

const record = (event: unknown): LogRecord => ({
  timestamp: "2026-01-02T03:04:05.000006Z",
  level: "info",
  logger: "task",
  event,
});

/** A history of one attempt, whose offsets are the numbers of its entries. */
function historyOf<T>(entries: readonly T[]) {
  const read = async (attemptId: number, page: { from?: number; limit?: number } = {}) => {
    if (attemptId !== 7) return undefined;
    const { from = 0, limit = 500 } = page;
    const next = Math.min(entries.length, from + limit);
    return {
      entries: entries.slice(from, next),
      next,
      hasMore: next < entries.length,
      isFinished: true,
    };
  };
  return { log: read, frames: read } as never;
}

test("records come in pages, and a secret that was heard of later is masked in earlier ones", async () => {
  const masker = new SecretMasker();
  const history = historyOf([record("early hunter2"), record("b"), record({ deep: ["hunter2"] })]);
  masker.add("hunter2");
  const first = await readLog({ history, masker }, "7", { offset: 0, limit: 2 });
  assert.equal(
    first?.records.map(({ event }) => event),
    ["early ***", "b"],
  );
  assert.is(first?.hasMore, true);
  const second = await readLog({ history, masker }, "7", { offset: 2, limit: 2 });
  assert.equal(second?.records[0]?.event, { deep: ["***"] });
  assert.is(second?.hasMore, false);
});

test("a page is never much larger than 2 MB, and nothing is left out between pages", async () => {
  const long = "x".repeat(60_000);
  const history = historyOf(Array.from({ length: 100 }, (_, at) => record(`${at} ${long}`)));
  const masker = new SecretMasker();
  const seen: number[] = [];
  let offset = 0;
  for (let hasMore = true; hasMore; ) {
    const page = await readLog({ history, masker }, "7", { offset, limit: 2_000 });
    assert.ok(JSON.stringify(page).length < 2_200_000);
    seen.push(...(page?.records ?? []).map(({ event }) => Number.parseInt(String(event), 10)));
    offset = page?.nextOffset ?? 0;
    hasMore = page?.hasMore === true;
  }
  assert.equal(
    seen,
    Array.from({ length: 100 }, (_, at) => at),
  );
});

test("an attempt that is not there, or no number, is none", async () => {
  const source = { history: historyOf([]), masker: new SecretMasker() };
  const page = { offset: 0, limit: 1 };
  for (const id of ["8", "x", "", "-1", "7.0", "9".repeat(30)]) {
    assert.is(await readLog(source, id, page), undefined, id);
    assert.is(await readFrames(source, id, page), undefined, id);
  }
});

test.run();
