import { NotFoundError, type SupervisorError, Timestamp } from "@parlance/sdk-node";
import { rejects, requirePeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type AirflowClient, openAirflowClient } from "./support/airflow-client.ts";

// The Node SDK's client against the supervisor and the API server of real Airflows: what each call
// does there, and what becomes of the errors of the server. The tests of one Airflow are one task.

const A = { name: "a", uri: "s3://b/a" };

for (const [version, schema] of [
  ["3.3.2", "2026-06-16"],
  ["3.4.0b2", "2026-10-30"],
] as const) {
  const label = `Airflow ${version}, schema ${schema}:`;
  if (requirePeer(test, label, `airflow-${version}`) !== undefined) registerTests();

  function registerTests(): void {
    let airflow: AirflowClient;
    const isNew = schema === "2026-10-30";
    const it = (name: string, run: (client: AirflowClient["client"]) => Promise<void>) =>
      test(`${label} ${name}`, () => run(airflow.client));

    test(`${label} the task starts`, async () => {
      airflow = await openAirflowClient(version, schema);
      assert.is(airflow.context.dagId, "d");
    });

    it("variables", async (client) => {
      assert.is(await client.getVariable("v/1"), null);
      await rejects(client.getVariableOrThrow("v1"), "variable-not-found");
      await client.setVariable("v1", "x", { description: "d" });
      await client.setVariable("v2", "");
      assert.is(await client.getVariable("v1"), "x");
      assert.is(await client.getVariable("v2"), "");
      assert.equal(await client.listVariableKeys({ prefix: "v", limit: 1, offset: 1 }), {
        keys: ["v2"],
        total: 2,
      });
      assert.is(await client.deleteVariable("v1"), true);
      assert.is(await client.getVariable("v1"), null);
    });

    it("a Connection that is not there", async (client) => {
      assert.is(await client.getConnection("no"), null);
      const error = await rejects(client.getConnectionOrThrow("no"), "connection-not-found");
      assert.is((error as NotFoundError).key, "no");
    });

    it("XComs: absent, null, of an earlier run", async (client) => {
      const p = { taskId: "t", key: "p" };
      assert.is(await client.getXCom(p), null);
      assert.is(await client.hasXCom(p), false);
      await client.setXCom(null, { key: "p" });
      assert.is(await client.getXCom(p), null);
      assert.is(await client.hasXCom(p), true);
      await client.deleteXCom({ key: "p" });
      assert.is(await client.hasXCom(p), false);
      await client.setXCom({ rows: [1, 2.5, "ä"] }, { key: "p", runId: "2026-06-14" });
      assert.is(await client.getXCom(p), null);
      assert.equal(await client.getXCom({ ...p, includePriorDates: true }), {
        rows: [1, 2.5, "ä"],
      });
      await client.setXCom(7, { key: "result", isDagResult: true });
      assert.is(await client.getXCom({ taskId: "t", key: "result" }), 7);
    });

    it("XComs of mapped instances", async (client) => {
      const series = { taskId: "t", key: "m" };
      for (const mapIndex of [2, 0]) await client.setXCom(`m${mapIndex}`, { key: "m", mapIndex });
      assert.is(await client.countXComs(series), 2);
      assert.is(await client.getXComItem({ ...series, index: -1 }), "m2");
      await rejects(client.getXComItem({ ...series, index: 9 }), "xcom-not-found");
      assert.equal(await client.getXComSlice({ ...series, step: -1 }), ["m2", "m0"]);
      const sequence = client.getXComSequence<string>({ ...series, pageSize: 1 });
      const read: string[] = [];
      for await (const value of sequence) read.push(value);
      assert.equal(read, ["m0", "m2"]);
      assert.is(await sequence.at(5), undefined);
      assert.is(await client.getXCom({ ...series, mapIndex: 2 }), "m2");
    });

    it("the task's state, kept for a time or for ever", async (client) => {
      const { taskState } = client;
      assert.is(await taskState.get("job"), null);
      await taskState.set("job", { id: 7, tags: ["x"] });
      assert.equal(await taskState.get("job"), { id: 7, tags: ["x"] });
      await taskState.set("job", 1, { keepForMs: null });
      await taskState.set("short", 1, { keepForMs: 3_600_000 });
      assert.is(await taskState.get("short"), 1);
      await taskState.delete("job");
      await taskState.delete("job");
      assert.is(await taskState.get("job"), null);
      await taskState.clear();
      assert.is(await taskState.get("short"), null);
      const error = await rejects(taskState.set("", 1), "api-error");
      assert.ok([404, 405, 422].includes(Number((error as SupervisorError).statusCode)));
    });

    it("an asset's state, by name and by URI; of an asset that no Dag names", async (client) => {
      const byName = client.assetState({ name: "a" });
      const byUri = client.assetState({ uri: A.uri });
      assert.is(await byName.get("mark"), null);
      await byName.set("mark", [1, { to: "x" }]);
      assert.equal(await byUri.get("mark"), [1, { to: "x" }]);
      await byUri.delete("mark");
      assert.is(await byName.get("mark"), null);
      await byUri.set("mark", "v");
      await byName.clear();
      assert.is(await byUri.get("mark"), null);
      const unknown = client.assetState({ name: "no" });
      assert.is(await unknown.get("mark"), null);
      const error = await rejects(unknown.set("mark", 1), "api-error");
      assert.is((error as SupervisorError).statusCode, 404);
    });

    it("a run: started with all its fields, kept, reset, refused", async (client) => {
      const { dagRuns } = client;
      const logicalDate = Timestamp.parse("2026-06-20T00:00:00.123456Z");
      const options = { dagId: "other", runId: "o/1", conf: { a: [1] }, logicalDate, note: "n" };
      const started = await dagRuns.trigger(options).catch((error: unknown) => error);
      // A slash in the id of a run is one too many for a path of Airflow's API.
      assert.instance(started, NotFoundError);
      const o1 = { ...options, runId: "o1", runAfter: new Date("2026-06-21T00:00:00Z") };
      assert.equal(await dagRuns.trigger(o1), { dagId: "other", runId: "o1", started: true });
      const run = (await dagRuns.get({ dagId: "other", runId: "o1" })) ?? assert.unreachable();
      assert.equal(run?.conf, { a: [1] });
      assert.equal(run?.exact.logicalDate, logicalDate);
      assert.is(run?.runAfter.toISOString(), "2026-06-21T00:00:00.000Z");
      assert.equal([run?.state, run?.runType], ["queued", "operator_triggered"]);
      assert.is(run?.note, null); // the server does not tell it
      await rejects(dagRuns.trigger(o1), "already-exists");
      assert.is((await dagRuns.trigger({ ...o1, ifExists: "keep" })).started, false);
      assert.is((await dagRuns.trigger({ ...o1, ifExists: "reset" })).started, true);
      assert.is(await dagRuns.getState({ dagId: "other", runId: "o1" }), "queued");
      const another = await dagRuns.trigger({ dagId: "other" });
      assert.is((await dagRuns.get(another))?.runId, another.runId);
      await rejects(dagRuns.trigger({ dagId: "no" }), "dag-not-found");
    });

    it("runs before this one, and counts", async (client) => {
      const { dagRuns } = client;
      assert.is((await dagRuns.get())?.state, "running");
      assert.is(await dagRuns.get({ runId: "no" }), null);
      assert.is(await dagRuns.getState({ runId: "no" }), null);
      assert.is((await dagRuns.getPrevious())?.runId, "2026-06-15");
      assert.is((await dagRuns.getPrevious({ state: "success" }))?.runId, "2026-06-14");
      const first = new Date("2026-06-13T00:00:00Z");
      assert.is(await dagRuns.getPrevious({ logicalDate: first }), null);
      const success = await dagRuns.getPreviousSuccess();
      assert.is(success.startDate?.toISOString(), "2026-06-14T00:30:00.000Z");
      assert.is(await dagRuns.count(), 5);
      assert.is(await dagRuns.count({ states: ["failed", "running"] }), 2);
      assert.is(await dagRuns.count({ logicalDates: [first], runIds: ["2026-06-13", "no"] }), 1);
      assert.is((await dagRuns.getDag())?.dagId, "d");
      assert.is(await dagRuns.getDag("no"), null);
      const nonsense = dagRuns.getPrevious({ state: "nonsense" as never });
      assert.is(((await rejects(nonsense, "api-error")) as SupervisorError).statusCode, 422);
    });

    it("the run's note", async (client) => {
      if (!isNew) {
        await rejects(client.dagRuns.setNote("seen"), "newer-schema-needed");
        return;
      }
      await client.dagRuns.setNote("seen");
      await client.dagRuns.setNote(null);
      const long = await rejects(client.dagRuns.setNote("n".repeat(1001)), "api-error");
      assert.match(long.message, "1000");
    });

    it("task instances: counts, states, the one before, what has ended", async (client) => {
      const { taskInstances } = client;
      const runIds = ["2026-06-15"];
      assert.is(await taskInstances.count({ runIds }), 3);
      assert.is(await taskInstances.count({ runIds, states: ["failed", null] }), 2);
      assert.is(await taskInstances.count({ runIds, taskGroupId: "group" }), 1);
      assert.equal(await taskInstances.getStates({ runIds }), {
        "2026-06-15": { t: "failed", u: null, "group.g": "skipped" },
      });
      const previous = await taskInstances.getPrevious();
      assert.is(previous?.runId, "2026-06-15");
      assert.equal(
        [previous?.state, previous?.tryNumber, previous?.durationSeconds],
        ["failed", 2, 2],
      );
      const success = await taskInstances.getPrevious({ state: "success" });
      assert.is(success?.endDate?.toISOString(), "2026-06-14T00:00:01.500Z");
      assert.is(await taskInstances.getPrevious({ taskId: "no" }), null);
      assert.is(await taskInstances.getFirstReschedule(), null);
      const ended = await taskInstances.listEnded({ runId: "2026-06-15" });
      assert.equal(
        ended.map(({ taskId, state }) => [taskId, state]),
        [
          ["group.g", "skipped"],
          ["t", "failed"],
        ],
      );
      const unknown = taskInstances.count({ taskGroupId: "no" });
      assert.is(((await rejects(unknown, "api-error")) as SupervisorError).statusCode, 404);
    });

    it("secrets and what the task's page shows", async (client) => {
      await client.maskSecret("hunter22", { name: "token" });
      await client.maskSecret({ password: "hunter22", list: [1] });
      await client.setRenderedMapIndex("row 7");
      await client.setRenderedFields({ sql: "select 1" });
    });

    it("assets are emitted with the task's success, and their events read", async (client) => {
      const { assets } = client;
      assert.equal(await assets.get({ name: "a" }), { ...A, group: "asset", extra: {} });
      assert.is((await assets.get({ uri: A.uri }))?.name, "a");
      assert.is(await assets.get({ name: "no" }), null);
      assert.equal(await assets.listByAlias("x"), []);
      assert.equal(await assets.listInactive(), []);
      await rejects(assets.emit({ name: "no" }), "asset-not-found");
      const dyn = { name: "dyn", uri: "s3://b/dyn" };
      await assets.emit({ name: "a" }, { extra: { rows: 5 } });
      await assets.emit(A, { extra: { rows: 6, by: "us" } });
      await assets.emit(dyn, { alias: "x", extra: { via: "x" } });
      const end = { type: "SucceedTask", state: "success", end_date: new Date().toISOString() };
      await airflow.send({ ...end, ...client.outletEvents.toFields() });

      const events = await assets.listEvents({ name: "a" });
      assert.equal(
        events.map(({ extra }) => extra),
        [{ rows: 5 }, { rows: 6, by: "us" }],
      );
      assert.equal(events[0]?.source, { dagId: "d", taskId: "t", runId: "r", mapIndex: -1 });
      assert.equal(events[0]?.asset, { ...A, group: "asset", extra: {} });
      const [latest] = await assets.listEvents(A, { limit: 1, ascending: false });
      assert.equal(latest?.extra, { rows: 6, by: "us" });
      const later = { after: new Date("2040-01-01T00:00:00Z") };
      assert.equal(await assets.listEvents({ uri: A.uri }, later), []);
      assert.is((await assets.listEvents({ uri: A.uri }, { before: later.after })).length, 2);
      const [made] = await assets.listEvents({ alias: "x" });
      assert.equal([made?.asset.uri, made?.extra], [dyn.uri, { via: "x" }]);
      assert.is((await assets.listByAlias("x"))[0]?.name, "dyn");
      assert.equal(await assets.listEvents({ alias: "no" }), []);
      const byExtra = assets.listEvents({ name: "a" }, { extra: { by: "us" } });
      if (isNew) assert.is((await byExtra).length, 1);
      else await rejects(byExtra, "newer-schema-needed");
    });

    test(`${label} the end`, () => airflow.close());
  }
}

test.run();
