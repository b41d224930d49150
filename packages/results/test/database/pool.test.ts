import { setImmediate as turn } from "node:timers/promises";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ConnectionPool, type PoolOptions } from "../../dist/database/pool.js";
import type { DriverConnection } from "../../dist/drivers/driver.js";

class FakeConnection implements DriverConnection {
  broken = false;
  inTransaction = false;
  closed = 0;
  pings = 0;
  answers = true;
  async query() {
    return { rows: [], affectedRows: 0 };
  }
  async begin() {}
  async commit() {}
  async rollback() {}
  async ping() {
    this.pings++;
    if (!this.answers) throw new Error("gone");
  }
  async close() {
    this.closed++;
  }
}

function make(options: Partial<PoolOptions> = {}, driver: object = {}) {
  const made: FakeConnection[] = [];
  const clock = { ms: 0 };
  const pool = new ConnectionPool(
    {
      maxConnections: 100,
      canReconnect: true,
      growsOld: true,
      async connect() {
        const connection = new FakeConnection();
        made.push(connection);
        return connection;
      },
      ...driver,
    },
    {
      size: 2,
      timeoutMs: 50,
      recycleMs: 3_600_000,
      prePingIdleMs: 1_000,
      shortLived: false,
      now: () => clock.ms,
      ...options,
    },
  );
  return { pool, made, clock };
}

test("a connection is used again, the last one first", async () => {
  const { pool, made } = make();
  const one = await pool.acquire();
  const two = await pool.acquire();
  pool.release(one);
  pool.release(two);
  pool.release(two);
  assert.is(await pool.acquire(), two);
  assert.is(made.length, 2);
  assert.is(pool.size, 2);
});

test("what needs no waiting is taken at once, and counts as taken", async () => {
  const { pool, clock } = make({ size: 1 });
  assert.is(pool.take(), undefined, "there is none yet");
  const one = await pool.acquire();
  pool.release(one);
  assert.is(pool.take(AbortSignal.abort()), undefined);
  assert.is(pool.take(), one);
  assert.is(pool.take(), undefined, "all are taken");
  await rejects(pool.acquire(), "pool-timeout");
  pool.release(one);
  clock.ms = 1_001;
  assert.is(pool.take(), undefined, "it is to be pinged first");
  clock.ms = 0;
  await pool.close();
  assert.is(pool.take(), undefined);
});

test("who has to wait is served in order, and gives up in time", async () => {
  const { pool } = make({ size: 1 });
  const one = await pool.acquire();
  const served: number[] = [];
  const second = pool.acquire().then((got) => {
    served.push(2);
    return got;
  });
  const third = pool.acquire().then(() => served.push(3));
  pool.release(one);
  pool.release(await second);
  await third;
  assert.equal(served, [2, 3]);
  const error = await rejects(pool.acquire(), "pool-timeout");
  assert.match(error.message, "within 50 ms: all 1 are in use");
});

test("a signal ends the wait and gives no place away", async () => {
  const { pool } = make({ size: 1 });
  const one = await pool.acquire();
  const controller = new AbortController();
  const waiting = rejects(pool.acquire(controller.signal), "aborted");
  controller.abort();
  await waiting;
  await rejects(pool.acquire(AbortSignal.abort()), "aborted");
  pool.release(one);
  assert.is(await pool.acquire(), one);
});

test("a connect that fails gives its place to the next", async () => {
  let fails = true;
  const { pool } = make(
    { size: 1 },
    {
      async connect() {
        await turn();
        if (fails) throw new Error("refused");
        return new FakeConnection();
      },
    },
  );
  const first = rejects(pool.acquire());
  const second = pool.acquire();
  await first.then(() => {
    fails = false;
  });
  await second.catch(() => undefined);
  assert.ok(await pool.acquire().catch((error) => assert.is(error.code, "pool-timeout") ?? true));
});

test("a broken connection, and one in the middle of a transaction, are closed", async () => {
  const { pool, made } = make();
  for (const state of ["broken", "inTransaction"] as const) {
    const connection = (await pool.acquire()) as FakeConnection;
    connection[state] = true;
    pool.release(connection);
    assert.is(connection.closed, 1);
  }
  assert.is(made.length, 2);
  assert.is(pool.size, 0);
});

test("one that broke while it was idle is not handed out", async () => {
  const { pool, made } = make();
  const one = (await pool.acquire()) as FakeConnection;
  pool.release(one);
  one.broken = true;
  assert.is.not(await pool.acquire(), one);
  assert.equal([made.length, one.closed, one.pings], [2, 1, 0]);
});

test("after a while of idling, it has to answer first", async () => {
  const { pool, clock } = make();
  const one = (await pool.acquire()) as FakeConnection;
  pool.release(one);
  clock.ms = 1_000;
  assert.is(await pool.acquire(), one);
  assert.is(one.pings, 0);
  pool.release(one);
  clock.ms = 2_001;
  assert.is(await pool.acquire(), one);
  assert.is(one.pings, 1);
  pool.release(one);
  one.answers = false;
  clock.ms = 3_500;
  assert.is.not(await pool.acquire(), one);
  assert.equal([one.pings, one.closed], [2, 1]);
});

test("pre-ping at every checkout, and never", async () => {
  const always = make({ prePingIdleMs: 0 });
  const one = (await always.pool.acquire()) as FakeConnection;
  always.pool.release(one);
  always.clock.ms = 1;
  await always.pool.acquire();
  assert.is(one.pings, 1);
  const never = make({ prePingIdleMs: false });
  const two = (await never.pool.acquire()) as FakeConnection;
  never.pool.release(two);
  never.clock.ms = 1e6;
  await never.pool.acquire();
  assert.is(two.pings, 0);
});

test("an old connection is replaced, however busy it is", async () => {
  const { pool, clock } = make({ recycleMs: 10_000 });
  const one = (await pool.acquire()) as FakeConnection;
  for (clock.ms = 0; clock.ms <= 10_000; clock.ms += 500) {
    pool.release(one);
    assert.is(await pool.acquire(), one);
  }
  pool.release(one);
  assert.is.not(await pool.acquire(), one);
  assert.is(one.closed, 1);
});

test("short-lived: a new one for every operation, but not of what can't be made anew", async () => {
  const { pool, made } = make({ shortLived: true });
  for (let turns = 0; turns < 3; turns++) pool.release(await pool.acquire());
  assert.equal(
    made.map(({ closed }) => closed),
    [1, 1, 1],
  );
  const memory = make(
    { shortLived: true },
    { canReconnect: false, growsOld: false, maxConnections: 1 },
  );
  const only = await memory.pool.acquire();
  memory.pool.release(only);
  memory.clock.ms = 1e9;
  assert.is(await memory.pool.acquire(), only);
});

test("after a lost link, what is idle is not trusted", async () => {
  const { pool, made } = make();
  const one = await pool.acquire();
  pool.release(await pool.acquire());
  pool.dropIdle();
  assert.equal(
    made.map(({ closed }) => closed),
    [0, 1],
  );
  pool.release(one);
  assert.is(await pool.acquire(), one);
});

test("close waits for what is in use, turns away the others, and may come twice", async () => {
  const { pool, made } = make({ size: 2 });
  const used = await pool.acquire();
  pool.release(await pool.acquire());
  let isClosed = false;
  const closing = Promise.all([pool.close(), pool.close()]).then(() => {
    isClosed = true;
  });
  await rejects(pool.acquire(), "closed");
  await turn();
  assert.is(isClosed, false);
  pool.release(used);
  await closing;
  await pool.close();
  assert.equal(
    made.map(({ closed }) => closed),
    [1, 1],
  );
  assert.is(pool.size, 0);
});

test.run();
