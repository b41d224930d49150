import { openResultStore } from "@parlance/results";
import { type CeleryPeer, type CeleryWrite, startCeleryPeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { kindsHere, newDatabase, serverOf } from "./support/databases.ts";

// What a clean-up removes, and what stands in date_done: as Celery has it.

const DAY_S = 86_400;
const AGES_S = [-DAY_S, 0, 3_600, DAY_S - 120, DAY_S + 120, 10 * DAY_S];

for (const kind of kindsHere(test, "clean-up of the real Celery")) {
  test(`${kind}: our clean-up removes the rows that Celery's removes`, async () => {
    const [ours, theirs] = [await newDatabase(kind), await newDatabase(kind)];
    const peers = await Promise.all(
      [ours, theirs].map((database) => startCeleryPeer(database.celeryUrl())),
    );
    const rows = rowsOfAllAges();
    for (const peer of peers) await peer.mustWrite(...rows);
    const [onOurs, onTheirs] = peers as [CeleryPeer, CeleryPeer];
    const store = await openResultStore(ours.url);
    const counts = await store.cleanup({ expiresSeconds: DAY_S, batchSize: 3 });
    await onTheirs.cleanup(DAY_S);
    const [left, expected] = [await ids(onOurs), await ids(onTheirs)];
    assert.equal(left, expected);
    assert.ok(expected.length > 0 && expected.length < rows.length);
    assert.is(counts.tasks + counts.groups, rows.length - left.length);
    await Promise.all([store.close(), ...peers.map((peer) => peer.close())]);
  });

  for (const timezone of ["America/New_York", "Asia/Shanghai"]) {
    test(`${kind}: in ${timezone} our stock dates are Celery's`, async () => {
      const database = await newDatabase(kind);
      const celery = await startCeleryPeer(database.celeryUrl(), { timezone });
      const store = await openResultStore(database.url, { dates: "celery", timezone });
      const group = { group: "gt", results: ["a"] };
      await celery.mustWrite(
        { id: "done-t", result: 1 },
        { id: "busy-t", state: "STARTED" },
        group,
      );
      await celery.mustWrite({ id: "busy-t", state: "STARTED" });
      await store.store("done-o", { state: "SUCCESS", result: 1 });
      await store.store("busy-o", { state: "STARTED" });
      await store.store("busy-o", { state: "STARTED" });
      await store.saveGroup("go", ["a"]);
      const dates = await datesOf(celery);
      for (const name of ["done", "busy", "g"]) {
        const separator = name === "g" ? "" : "-";
        const theirs = dates.get(`${name}${separator}t`) ?? 0;
        const ours = dates.get(`${name}${separator}o`) ?? 0;
        assert.ok(Math.abs(ours - theirs) < 60_000, `${name}: ${ours} and ${theirs}`);
      }
      // Whoever wrote it, we read the instant.
      const ages = ["done-t", "done-o"].map(async (id) => {
        return Date.now() - ((await store.get(id)).dateDone?.getTime() ?? 0);
      });
      for (const ageMs of await Promise.all(ages))
        assert.ok(ageMs > -1_500 && ageMs < 60_000, `${ageMs}`);
      await Promise.all([store.close(), celery.close()]);
    });
  }
}

for (const kind of kindsHere(test, "zones of a PostgreSQL database", ["postgresql"])) {
  test(`${kind}: a database in another zone gets from us what Celery gives it, or UTC`, async () => {
    const server = await serverOf("postgresql");
    const name = await server.createDatabase();
    await server.query(name, `ALTER DATABASE ${name} SET timezone TO 'Asia/Kathmandu'`);
    const celery = await startCeleryPeer(server.celeryUrl(name));
    const stock = await openResultStore(server.url(name), { dates: "celery" });
    const utc = await openResultStore(server.url(name));
    await celery.mustWrite({ id: "t", result: 1 });
    await stock.store("s", { state: "SUCCESS" });
    await utc.store("u", { state: "SUCCESS" });
    const dates = await datesOf(celery);
    const [theirs = 0, same = 0, ours = 0] = ["t", "s", "u"].map((id) => dates.get(id));
    assert.ok(Math.abs(same - theirs) < 60_000);
    assert.ok(Math.abs(Date.now() - ours) < 60_000);
    assert.ok(Math.abs(theirs - ours - 345 * 60_000) < 60_000, "Kathmandu is 5:45 ahead");
    await Promise.all([stock.close(), utc.close(), celery.close()]);
  });
}

function rowsOfAllAges(): CeleryWrite[] {
  const rows: CeleryWrite[] = AGES_S.flatMap((age) => {
    const when = new Date(Date.now() - age * 1_000).toISOString().replace("Z", "");
    return [
      { id: `s${age}`, state: "SUCCESS", result: 1, date_done: when },
      { id: `p${age}`, state: "PROGRESS", result: 1, date_done: when },
      { group: `g${age}`, results: ["a"], date_done: when },
    ];
  });
  return [...rows, { id: "unfinished", state: "STARTED", result: { pid: 1 } }];
}

async function ids(peer: CeleryPeer): Promise<unknown[]> {
  const { task, group } = await peer.dump();
  return [...task.map((row) => row["task_id"]), ...group.map((row) => row["taskset_id"])];
}

/** The wall clock of each row as if it were UTC. */
async function datesOf(peer: CeleryPeer): Promise<ReadonlyMap<unknown, number>> {
  const { task, group } = await peer.dump();
  return new Map(
    [...task, ...group].map((row) => {
      const text = String(row["date_done"]).replace(" ", "T");
      return [row["task_id"] ?? row["taskset_id"], Date.parse(`${text}Z`)];
    }),
  );
}

test.run();
