import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CalendarDate,
  DateTime,
  Decimal,
  openResultStore,
  type ResultStore,
  TaskFailure,
  TimeOfDay,
  Uuid,
} from "@parlance/results";
import {
  type CeleryPeer,
  type CeleryWorker,
  type CeleryWorkerOptions,
  rejects,
  startCeleryWorker,
} from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { kindsHere, newDatabase } from "./support/databases.ts";

// A real worker runs tasks; our store waits for them and reads what it stored. And the other way:
// a real client waits for what our store writes.

interface Setting {
  readonly worker: CeleryWorker;
  readonly celery: CeleryPeer;
  readonly store: ResultStore;
}

const T = "worker_app.";
const WAIT = { timeoutMs: 300_000, intervalMs: 20 };

for (const kind of kindsHere(test, "a real worker")) {
  const pool = kind === "postgresql" ? "prefork" : "solo";

  test(`${kind}, ${pool}: what a worker stores is waited for and read`, async () => {
    await withWorker(
      kind,
      { pool, extended: true, conf: { task_track_started: true } },
      async (s) => {
        await readsValues(s);
        await readsFailures(s);
        await readsCanvas(s);
        if (pool === "prefork") await readsLostWorker(s);
      },
    );
  });

  test(`${kind}: a task that runs is seen in its states`, async () => {
    await withWorker(
      kind,
      { conf: { task_track_started: true } },
      async ({ worker, celery, store }) => {
        const gate = join(worker.folder, "gate");
        const [sent] = await celery.send({ task: `${T}progress`, args: [gate] });
        const id = sent?.id ?? "";
        const error = await rejects(store.wait(id, { timeoutMs: 200, intervalMs: 20 }), "timeout");
        assert.match(error.message, id);
        await until(async () => (await store.get(id)).state === "PROGRESS");
        assert.equal((await store.get(id)).result, { current: 3, total: 10 });
        const waiting = store.wait(id, WAIT);
        writeFileSync(gate, "");
        assert.is((await waiting).result, "done");
      },
    );
  });

  test(`${kind}: a real client waits for what we store`, async () => {
    await withWorker(kind, {}, async ({ celery, store }) => {
      const later = celery.wait("ours-1", 30);
      await store.store("ours-1", { state: "STARTED", result: { pid: 1, hostname: "node" } });
      await store.store("ours-1", {
        state: "SUCCESS",
        result: { rows: 3, at: DateTime.parse("2024-02-29T12:00:00+00:00") },
      });
      assert.equal(await later, {
        value: { rows: 3, at: { __type__: "datetime", __value__: "2024-02-29T12:00:00+00:00" } },
      });
      await store.store("ours-2", { state: "FAILURE", result: new RangeError("too far") });
      const { raised } = (await celery.wait("ours-2", 30)) as {
        raised: { $exc: { args: unknown[] } };
      };
      assert.match(JSON.stringify(raised.$exc.args), "too far");
      const failure = { type: "KeyError", module: "builtins", args: ["k"] };
      await store.store("ours-3", { state: "FAILURE", result: new TaskFailure(failure) });
      const { raised: own } = (await celery.wait("ours-3", 30)) as { raised: { $exc: object } };
      assert.is((own.$exc as { repr: string }).repr, "KeyError('k')");
      await store.saveGroup("ours-group", ["ours-1", "ours-2"]);
      assert.is((await celery.readGroup("ours-group"))?.class, "GroupResult");
    });
  });
}

async function withWorker(
  kind: Parameters<typeof newDatabase>[0],
  options: CeleryWorkerOptions,
  body: (setting: Setting) => Promise<void>,
): Promise<void> {
  const database = await newDatabase(kind);
  const worker = await startCeleryWorker(database.celeryUrl(), options);
  try {
    const celery = await worker.client();
    const store = await openResultStore(database.url, { extended: options.extended ?? false });
    try {
      await body({ worker, celery, store });
    } catch (error) {
      throw new Error(`${String(error)}\nthe worker said:\n${worker.logTail()}`, { cause: error });
    } finally {
      await Promise.all([store.close(), celery.close()]);
    }
  } finally {
    await worker.stop();
  }
}

async function readsValues({ celery, store }: Setting): Promise<void> {
  const [sum, types, stamped, retried] = await celery.send(
    { task: `${T}add`, args: [1, 2] },
    { task: `${T}many_types` },
    { task: `${T}add`, args: ["a", "b"], stamps: { tenant: "acme" } },
    { task: `${T}succeed_on_try`, args: [3] },
  );
  const added = await store.wait(sum?.id ?? "", WAIT);
  assert.equal(
    [added.state, added.result, added.name, added.args, added.retries],
    ["SUCCESS", 3, `${T}add`, [1, 2], 0],
  );
  assert.equal([added.kwargs, added.queue, added.traceback], [{}, "celery", null]);
  const ageMs = Date.now() - (added.dateDone?.getTime() ?? 0);
  assert.ok(ageMs > -1_500 && ageMs < 60_000, `date_done is ${ageMs} ms old`);

  const { result } = await store.wait(types?.id ?? "", WAIT);
  assert.equal(result, {
    datetime: DateTime.parse("2024-02-29T12:34:56.000789+00:00"),
    zoned: DateTime.parse("2024-02-29T12:34:56+05:30"),
    naive: DateTime.parse("2024-02-29T12:34:56"),
    date: CalendarDate.parse("2024-02-29"),
    time: TimeOfDay.parse("23:59:59.000001"),
    decimal: new Decimal("1.10"),
    uuid: new Uuid("12345678123456781234567812345678"),
    text_bytes: Uint8Array.of(97, 98, 99),
    bytes: Uint8Array.of(255, 0),
    big: 2n ** 80n,
    float: 1,
    nan: Number.NaN,
    text: "\u4e2d\u{1f600}",
  });

  const withStamps = await store.wait(stamped?.id ?? "", WAIT);
  assert.equal([withStamps.result, withStamps.stamps], ["ab", { tenant: "acme" }]);
  const third = await store.wait(retried?.id ?? "", WAIT);
  assert.equal([third.result, third.retries], [3, 2]);
}

async function readsFailures({ celery, store }: Setting): Promise<void> {
  const [failed, own, retried] = await celery.send(
    { task: `${T}fail`, args: ["bad", 7] },
    { task: `${T}fail_with_own_error`, args: ["screws"] },
    { task: `${T}never_succeed` },
  );
  const failure = await rejects(store.wait(failed?.id ?? "", WAIT));
  assert.instance(failure, TaskFailure);
  const { type, module, args } = failure as unknown as TaskFailure;
  assert.equal([type, module, args], ["ValueError", "builtins", ["bad", 7]]);
  const meta = await store.get(failed?.id ?? "");
  assert.is(meta.state, "FAILURE");
  assert.match(meta.traceback ?? "", "raise ValueError");
  const quiet = await store.wait(own?.id ?? "", { ...WAIT, propagate: false });
  const { type: ownType, module: ownModule } = quiet.result as TaskFailure;
  assert.equal([ownType, ownModule], ["OutOfStock", "worker_app"]);
  const last = await store.wait(retried?.id ?? "", { ...WAIT, propagate: false });
  assert.equal(
    [last.state, (last.result as TaskFailure).type, last.retries],
    ["FAILURE", "ConnectionError", 1],
  );
}

async function readsCanvas({ celery, store }: Setting): Promise<void> {
  const add = (x: number, y: number) => ({ task: `${T}add`, args: [x, y] });
  const [chain, group, chord, parent] = await celery.send(
    { chain: [add(1, 2), { task: `${T}add`, args: [5] }] },
    { group: [add(1, 2), add(3, 4)], save: true },
    { chord: [add(1, 2), add(3, 4)], body: { task: `${T}total` } },
    { task: `${T}start_children` },
  );
  assert.is((await store.wait(chain?.id ?? "", WAIT)).result, 8);
  const restored = await store.restoreGroup(group?.id ?? "");
  const members = restored?.members ?? [];
  assert.equal(
    members.map(({ kind }) => kind),
    ["task", "task"],
  );
  const sums = await Promise.all(members.map(({ id }) => store.wait(id, WAIT)));
  assert.equal(
    sums.map(({ result }) => result),
    [3, 7],
  );
  assert.is((await store.wait(chord?.id ?? "", WAIT)).result, 10);
  const { children } = await store.wait(parent?.id ?? "", WAIT);
  assert.is(children?.length, 2);
  const results = await Promise.all((children ?? []).map(({ id }) => store.wait(id, WAIT)));
  assert.equal(
    results.map(({ result }) => result),
    [2, 4],
  );
}

async function readsLostWorker({ celery, store }: Setting): Promise<void> {
  const [sent] = await celery.send({ task: `${T}kill_own_process` });
  const { state, result } = await store.wait(sent?.id ?? "", { ...WAIT, propagate: false });
  const { type, module } = result as TaskFailure;
  assert.equal([state, type, module], ["FAILURE", "WorkerLostError", "billiard.exceptions"]);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 300_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error("not so within 300 s");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test.run();
