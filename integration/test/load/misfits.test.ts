import { openLogFile, type TaskCommand } from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Beats } from "./support/beats.ts";
import { LoadCoordinator, loadStore, play, withPerl } from "./support/load-coordinator.ts";
import { nothingLeft, type Resources, resources } from "./support/resources.ts";

/** Below a launcher in shell that stays. */
class LauncherCoordinator extends LoadCoordinator {
  protected override async buildExecuteTaskCommand(
    ...given: Parameters<LoadCoordinator["buildExecuteTaskCommand"]>
  ): Promise<TaskCommand> {
    const { argv, schemaVersion } = await super.buildExecuteTaskCommand(...given);
    return { argv: ["/bin/sh", "-c", '"$@"; exit $?', "sh", ...argv], schemaVersion };
  }
}

async function before(): Promise<Resources> {
  await play(new LoadCoordinator(), "silent-0"); // what the first one opens for good
  return resources();
}

withPerl(test, "misfits", () => {
  test("a child that is stopped before it connects passes its start-up time, and is killed", async () => {
    const held = await before();
    const coordinator = new LoadCoordinator({ startupTimeoutMs: 500, killGraceMs: 200 });
    const { result, state } = await play(coordinator, "stop-before-1");
    assert.equal([result.error?.code, state], ["startup-timeout", "failed"]);
    await nothingLeft(held);
  });

  test("both connections to one listener: the second is closed, and the other one stays missing", async () => {
    const held = await before();
    const coordinator = new LoadCoordinator({ startupTimeoutMs: 3_000, killGraceMs: 200 });
    const { result } = await play(coordinator, "only-comm-1");
    assert.is(result.error?.code, "startup-timeout");
    assert.match(result.error?.message ?? "", /, logs not connected/);
    await nothingLeft(held);
  });

  test("when both are taken, nobody listens any more: the task's own third connection is refused", async () => {
    const held = await before();
    const { result } = await play(new LoadCoordinator(), "again-1");
    assert.equal([result.finalState, result.exitCode], ["success", 0]);
    await nothingLeft(held);
  });

  test("the launcher is killed: its worker is found and ended, though it ignores SIGTERM", async () => {
    const held = await before();
    const coordinator = new LauncherCoordinator({ socketCleanupTimeoutMs: 300 });
    const { result, events, supervisor, state } = await play(coordinator, "orphan-1", {
      onRecord: ({ event }) => {
        const launcher = /^launched by (\d+)$/.exec(String(event))?.[1];
        if (launcher !== undefined) process.kill(Number(launcher), "SIGKILL");
      },
    });
    assert.is(events.length, 1);
    assert.equal([result.finalState, result.exitCode, state], ["failed", -9, "failed"]);
    assert.match(supervisor.join(), "still held");
    await nothingLeft(held);
  });

  test("a clock that jumps by years changes time stamps and nothing else", async () => {
    const held = await before();
    let calls = 0;
    const beats = new Beats(20);
    const now = (): Date => new Date(Date.UTC(calls++ % 2 === 0 ? 1975 : 2190, 0, 1, 0, 0, calls));
    const coordinator = new LoadCoordinator({ now, startupTimeoutMs: 60_000 });
    const { result, events } = await play(coordinator, "slow-1", {
      store: await loadStore(),
      heartbeat: beats,
    });
    assert.equal([result.finalState, events], ["success", []]);
    assert.ok(result.durationMs > 50 && result.durationMs < 60_000, `${result.durationMs} ms`);
    assert.ok(beats.count >= 2);
    await nothingLeft(held);
  });

  test("the disk of the log file is full: records are lost and counted, the task is not", async () => {
    const held = await before();
    const sink = await openLogFile("/dev/full");
    const coordinator = new LoadCoordinator();
    const result = await coordinator.executeTask({
      taskInstance: { dagId: "load", taskId: "flood-log-1", runId: "r", tryNumber: 1 },
      store: await loadStore(),
      logSink: sink,
    });
    await sink.close().catch(() => {});
    assert.is(result.finalState, "success");
    assert.match(result.logError?.message ?? "", "ENOSPC");
    assert.ok((result.logError?.lost ?? 0) > 0);
    await nothingLeft(held);
  });
});

test.run();
