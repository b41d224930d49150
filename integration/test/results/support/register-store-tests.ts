import { type ResultStore, TaskFailure } from "@parlance/results";
import { type DatabaseServer, rejects } from "@parlance/test-kit";
import type { Test } from "uvu";
import * as assert from "uvu/assert";
import { serverStore } from "./server-store.ts";

const WRITERS = 8;

/** What holds on every server. */
export function registerStoreTests(test: Test, server: () => DatabaseServer): void {
  test("everything that is stored is read", async () => {
    const { store, close } = await serverStore(server(), { extended: true });
    await store.store("t", {
      state: "FAILURE",
      result: new TaskFailure({
        type: "ValueError",
        module: "builtins",
        args: ["bad ' \" \\ 中 😀"],
      }),
      traceback: "Traceback 中 😀",
      children: ["c"],
      request: {
        task: "proj.add",
        args: [1],
        kwargs: {},
        hostname: "w",
        retries: 2,
        routingKey: "q",
      },
      stamps: { tenant: "acme" },
    });
    const { result, dateDone, ...meta } = await store.get("t");
    assert.equal((result as TaskFailure).args, ["bad ' \" \\ 中 😀"]);
    assert.ok(Math.abs(Date.now() - (dateDone?.getTime() ?? 0)) < 10_000);
    const { name, args, kwargs, worker, retries, queue, stamps, traceback, children } = meta;
    assert.equal(
      [name, args, kwargs, worker, retries, queue, stamps, traceback, children],
      [
        "proj.add",
        [1],
        {},
        "w",
        2,
        "q",
        { tenant: "acme" },
        "Traceback 中 😀",
        [{ kind: "task", id: "c", parent: null }],
      ],
    );
    assert.ok(await store.exists("t"));
    assert.ok(await store.forget("t"));
    assert.is((await store.get("t")).state, "PENDING");
    await close();
  });

  test("date_done follows the states as Celery's column does", async () => {
    const { store, query, close } = await serverStore(server());
    const after = async (...states: string[]) => {
      for (const state of states) await store.store(states.join(), { state });
      const mark = server().kind === "postgresql" ? "$1" : "?";
      const [row] = await query(`SELECT date_done FROM celery_taskmeta WHERE task_id = ${mark}`, [
        states.join(),
      ]);
      return row?.["date_done"] !== null;
    };
    assert.ok(await after("SUCCESS"));
    assert.not(await after("STARTED"));
    assert.ok(await after("STARTED", "STARTED"));
    assert.not(await after("STARTED", "RETRY", "PROGRESS"));
    assert.not(await after("FAILURE", "STARTED"));
    assert.ok(await after("FAILURE", "STARTED", "SUCCESS"));
    await close();
  });

  test("of eight stores one wins each task, none fails, and its result stands", async () => {
    const { another, query, close } = await serverStore(server());
    const stores = await Promise.all(Array.from({ length: WRITERS }, () => another()));
    for (let task = 0; task < 25; task++) {
      const id = `t-${task}`;
      const outcomes = await Promise.all(stores.map((store, number) => race(store, id, number)));
      const winners = outcomes.flatMap(({ written }, number) => (written ? [number] : []));
      assert.is(winners.length, 1);
      const { state, result } = await (stores[0] as ResultStore).get(id);
      assert.equal([state, result], ["SUCCESS", winners[0]]);
    }
    const [count] = await query("SELECT count(*) AS n FROM celery_taskmeta");
    assert.is(Number(count?.["n"]), 25);
    await close();
  });

  test("groups are saved once, or replaced", async () => {
    const { store, another, close } = await serverStore(server());
    const stores = await Promise.all(Array.from({ length: WRITERS }, () => another()));
    const saves = await Promise.allSettled(
      stores.map((one, number) => one.saveGroup("g", [`${number}`])),
    );
    assert.is(saves.filter(({ status }) => status === "fulfilled").length, 1);
    await rejects(store.saveGroup("g", ["x"]), "group-exists");
    await Promise.all(stores.map((one) => one.saveGroup("g", ["last"], { replace: true })));
    assert.equal((await store.restoreGroup("g"))?.members, [
      { kind: "task", id: "last", parent: null },
    ]);
    assert.ok(await store.deleteGroup("g"));
    assert.is(await store.restoreGroup("g"), null);
    await close();
  });

  test("a cleanup removes the old and holds nobody up", async () => {
    const { store, another, query, close } = await serverStore(server());
    await fill(server(), query, 80_000);
    await store.store("fresh", { state: "SUCCESS" });
    await store.store("unfinished", { state: "STARTED" });
    const writer = await another();
    let done = false;
    let longestMs = 0;
    let written = 0;
    const writing = (async () => {
      while (!done) {
        const start = performance.now();
        await writer.store(`during-${written++}`, { state: "SUCCESS" });
        longestMs = Math.max(longestMs, performance.now() - start);
      }
    })();
    const progress = await store.cleanup({ expiresSeconds: 3600 });
    done = true;
    await writing;
    assert.is(progress.tasks, 80_000);
    assert.ok(progress.batches >= 2);
    // Generous: the machine of a test run is busy. The bench row holds it to 100 ms.
    assert.ok(longestMs < 10_000, `a writer waited ${longestMs} ms`);
    const [count] = await query("SELECT count(*) AS n FROM celery_taskmeta");
    assert.is(Number(count?.["n"]), written + 2);
    await close();
  });

  test("a listing pages through what a filter finds", async () => {
    const { store, query, close } = await serverStore(server());
    await fill(server(), query, 2500);
    await store.store("new", { state: "success" });
    let seen = 0;
    for await (const { state } of store.list({ state: "SUCCESS", pageSize: 1000 })) {
      assert.is(state, "SUCCESS");
      seen++;
    }
    assert.is(seen, 2500);
    const old: string[] = [];
    for await (const { taskId, dateDone } of store.list({ olderThanSeconds: 3600 })) {
      assert.is(dateDone?.toISOString(), "2020-01-02T03:04:05.000Z");
      old.push(taskId);
    }
    assert.is(old.length, 2500);
    assert.is(old[0], "old-1");
    await close();
  });

  test("what is too long for a column is refused by size, labels are cut", async () => {
    const { store, close } = await serverStore(server(), { extended: true });
    const id = await rejects(store.store("x".repeat(156), { state: "A" }), "value-too-large");
    assert.is(id.message, "store: column task_id takes 155 characters, the value has 156.");
    await rejects(store.store("t", { state: "S".repeat(51) }), "value-too-large");
    await rejects(store.saveGroup("x".repeat(156), []), "value-too-large");
    await store.store("😀".repeat(155), {
      state: "😀".repeat(50),
      request: { task: "😀".repeat(200), hostname: "w".repeat(156) },
    });
    const { name, worker, state } = await store.get("😀".repeat(155));
    assert.is(state, "😀".repeat(50));
    assert.is(name, "😀".repeat(155));
    assert.is(worker, "w".repeat(155));
    await close();
  });

  test("a table without its unique key works, as long as nobody races", async () => {
    const { another, query, close } = await serverStore(server());
    await query(
      server().kind === "postgresql"
        ? "ALTER TABLE celery_taskmeta DROP CONSTRAINT celery_taskmeta_task_id_key"
        : "ALTER TABLE celery_taskmeta DROP KEY task_id",
    );
    const store = await another();
    assert.is((await store.store("t", { state: "STARTED" })).written, true);
    assert.is((await store.store("t", { state: "SUCCESS" })).written, true);
    assert.is((await store.store("t", { state: "FAILURE" })).written, false);
    const [count] = await query("SELECT count(*) AS n FROM celery_taskmeta");
    assert.is(Number(count?.["n"]), 1);
    await close();
  });
}

async function race(store: ResultStore, id: string, number: number) {
  await store.store(id, { state: "STARTED", result: number });
  return store.store(id, { state: "SUCCESS", result: number });
}

/** Old rows, as Celery writes them. */
export async function fill(
  server: DatabaseServer,
  query: (sql: string) => Promise<unknown>,
  rows: number,
): Promise<void> {
  const values = "'SUCCESS', '1', '2020-01-02 03:04:05'";
  await query(
    server.kind === "postgresql"
      ? `INSERT INTO celery_taskmeta (id, task_id, status, result, date_done)
         SELECT nextval('task_id_sequence'), 'old-' || g, ${values} FROM generate_series(1, ${rows}) g`
      : `INSERT INTO celery_taskmeta (id, task_id, status, result, date_done)
         SELECT nextval(task_id_sequence), concat('old-', seq), ${values} FROM seq_1_to_${rows}`,
  );
}
