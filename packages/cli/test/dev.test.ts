import { readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { LogPage, Project, RunDetail, TaskInstanceDetail } from "@parlance/dev";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { errorOf, parlance } from "./support/cli.ts";
import { DevSession, makeProject } from "./support/dev-session.ts";

const program = (answer: string): string => `
import { Bundle, dag, serve } from "@parlance/sdk-node";

const retried = dag("retried")
  .task("flaky", { retries: 2, retryDelayMs: 60_000, retryExponentialBackoff: 2 }, ({ context, log }) => {
    log.info("this is ${answer}");
    if (context.tryNumber === 1) throw new Error("not yet");
    return ${JSON.stringify(answer)};
  })
  .task("after", { inputs: { value: "flaky" } }, ({ inputs }) => inputs.value);
const waits = dag("waits").task("for_ever", { retries: 3, retryDelayMs: 0 }, async ({ log, signal }) => {
  log.info("waiting");
  await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
});

const bundle = new Bundle();
bundle.task("plain", "hello", async () => "hello");
bundle.task("plain", "other", async () => 1);
serve(bundle.add(retried).add(waits));
`;

const folder = temporaryFolder();
const entry = makeProject(folder, program("first"));
const store = join(folder, "runs.db");

const session = await DevSession.start(entry);

test("a retried task waits as Airflow lets it wait, at the scale that was asked for", async () => {
  const { dags } = (await session.get("/api/dev/project")) as Project;
  assert.equal(
    dags.map(({ dagId, kind, taskCount }) => `${dagId} ${kind} ${taskCount}`),
    ["retried native 2", "waits native 1", "plain plain 2"],
  );
  const run = await session.run("retried", { timeScale: 0 });
  await session.untilState(run, "success");
  const flaky = (await session.get(`${run}/tasks/flaky`)) as TaskInstanceDetail;
  assert.equal(
    flaky.attempts.map(({ state }) => state),
    ["up_for_retry", "success"],
  );
  const [wait] = flaky.waits;
  assert.is(wait?.baseSeconds, 60);
  assert.is(wait?.delaySeconds, 60 + (wait?.jitterSeconds ?? Number.NaN));
  assert.is(wait?.scaledSeconds, 0);
  assert.match(wait?.reason ?? "", /not yet/);
  const { attemptId } = flaky.attempts[1] ?? { attemptId: "" };
  const log = (await session.get(`/api/dev/attempts/${attemptId}/log`)) as LogPage;
  assert.equal(
    log.records.map(({ event }) => event),
    ["this is first"],
  );
  assert.ok(log.isFinished && !log.hasMore);
  const xcoms = await session.get(`${run}/tasks/after/xcoms`);
  assert.equal(xcoms, { xcoms: [{ key: "return_value", json: '"first"', isCut: false }] });

  const plain = await session.run("plain", { taskIds: ["hello"] });
  await session.untilState(plain, "success");
  const { instances } = (await session.get(plain)) as RunDetail;
  assert.equal(
    instances.map(({ taskId, state }) => `${taskId} ${state}`),
    ["hello success"],
  );
});

test("a task that waits for its retry runs at once when it is told to", async () => {
  const run = await session.run("retried");
  await session.until(async () => {
    const { state } = (await session.get(`${run}/tasks/flaky`)) as TaskInstanceDetail;
    return state === "up_for_retry" ? true : undefined;
  });
  await session.post(`${run}/tasks/flaky/retry`);
  await session.untilState(run, "success");
});

test("code that changes is loaded; code that is broken is told, and the one before it runs", async () => {
  const project = async () => (await session.get("/api/dev/project")) as Project;
  const said = async (): Promise<string> => {
    const run = await session.run("retried", { timeScale: 0 });
    await session.untilState(run, "success");
    return await session.text(`${run}/tasks/after/xcoms`);
  };
  const until = (isSo: (now: Project) => boolean): Promise<Project> =>
    session.until(async () => {
      const now = await project();
      return isSo(now) ? now : undefined;
    });
  writeFileSync(entry, `${program("second")}\nconst broken = ;\n`);
  const failed = await until(({ status }) => status === "failed");
  assert.is(failed.loadError?.kind, "build");
  assert.match(failed.loadError?.text ?? "", /main\.ts:\d+:\d+: Unexpected ";"/);
  assert.is(failed.dags.length, 3);
  assert.match(await said(), /first/);

  writeFileSync(entry, `${program("second")}\nthrow new Error("at the start");\n`);
  const thrown = await until(({ loadError }) => loadError?.kind === "parse");
  assert.match(thrown.loadError?.text ?? "", /at the start/);
  assert.match(await said(), /first/);

  writeFileSync(entry, program("second"));
  const ready = await until(({ status }) => status === "ready");
  assert.ok(ready.revision > failed.revision);
  assert.match(await said(), /second/);
});

test("a port that is taken, and words that can't be meant, are told at once", async () => {
  const missing = await parlance(["dev", join(folder, "missing.ts"), "--json"]);
  assert.is(missing.code, 65);
  assert.is(errorOf(missing).code, "cannot-read");
  const { port } = new URL(session.origin);
  const taken = await parlance(["dev", entry, "--json", "--port", port]);
  assert.is(taken.code, 69);
  assert.is(errorOf(taken).code, "port-taken");
  for (const words of [
    ["--time-scale", "x"],
    ["--host", "0.0.0.0"],
    ["--port", "0"],
  ]) {
    assert.is((await parlance(["dev", entry, ...words, "--json"])).code, 2, words.join(" "));
  }
});

test("it ends in order, and leaves nothing", async () => {
  assert.is(await session.end("SIGTERM"), 0);
  assert.equal(session.left(), []);
  const left = readdirSync(tmpdir()).filter((name) => name.includes(`-${session.child.pid}-`));
  assert.equal(left, []);
});

/** Ends a run in its middle, and gives its path. */
async function interrupted(signal: NodeJS.Signals, target: string): Promise<string> {
  const first = await DevSession.start(target, "--store", store);
  const run = await first.run("waits");
  await first.until(async () => {
    const { attempts } = (await first.get(`${run}/tasks/for_ever`)) as TaskInstanceDetail;
    const id = attempts[0]?.attemptId;
    if (id === undefined) return undefined;
    const { records } = (await first.get(`/api/dev/attempts/${id}/log`)) as LogPage;
    return records.length > 0 ? true : undefined;
  });
  assert.ok(first.left().length > 1);
  await first.end(signal);
  while (first.left().length > 0) await sleep(50); // of a killed one: they notice by themselves
  return run;
}

const bundle = join(folder, "packed");
for (const [signal, target] of [
  ["SIGINT", entry],
  ["SIGKILL", bundle],
] as const) {
  test(`${signal} in the middle of a task leaves no process, and a run that can be gone on with`, async () => {
    if (target === bundle) {
      assert.is((await parlance(["pack", entry, "--out", bundle])).code, 0);
    }
    const run = await interrupted(signal, target);
    const second = await DevSession.start(target, "--store", store);
    const before = (await second.get(run)) as RunDetail;
    assert.is(before.isActive, false);
    await second.post(`${run}/resume`);
    await second.until(async () => {
      const { attempts } = (await second.get(`${run}/tasks/for_ever`)) as TaskInstanceDetail;
      return attempts.length > 1 ? true : undefined;
    });
    await second.post(`${run}/cancel`);
    await second.until(async () => {
      const { state } = (await second.get(run)) as RunDetail;
      return state === "canceled" ? true : undefined;
    });
    assert.is(await second.end(), 0);
  });
}

test.after(() => DevSession.endAll());
test.run();
