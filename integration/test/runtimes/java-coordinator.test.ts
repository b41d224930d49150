import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  type ExecuteTaskRequest,
  JavaCoordinator,
  type JavaCoordinatorOptions,
  type LogRecord,
  MemoryTaskStore,
} from "@parlance/coordinator";
import { skip, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

// Jars of a real compiler, in a real virtual machine. A cold one may take its time on a busy machine.

const SOURCE = fileURLToPath(new URL("../../test/runtimes/java/Probe.java", import.meta.url));
const PATIENCE_MS = 60_000;

/** Two jars: the program, and one that stands for the SDK beside it. */
function build(): string {
  const folder = temporaryFolder("parlance-java");
  const jars = join(folder, "jars");
  mkdirSync(join(jars, "lib"), { recursive: true });
  const entry = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const sdk = entry("sdk.mf", "Airflow-Supervisor-Schema-Version: 2026-06-16\n");
  command("javac", "--release", "17", "-d", join(folder, "classes"), SOURCE);
  const program = ["--main-class", "Probe", "-C", join(folder, "classes"), "."];
  command("jar", "--create", "--file", join(jars, "probe.jar"), ...program);
  command("jar", "--create", "--file", join(jars, "lib/sdk.jar"), "--manifest", sdk);
  return jars;
}

function command(name: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(name, args, { encoding: "utf8" });
  assert.is(status, 0, `${name}: ${stderr}`);
}

let jarsRoot = "";

interface Told {
  readonly request?: Partial<ExecuteTaskRequest>;
  readonly options?: Partial<JavaCoordinatorOptions>;
  /** Called with each record of the task. */
  readonly onEvent?: (event: string) => void;
}

/** Runs the program, which does what is said. */
async function run(does: string, { request, options, onEvent }: Told = {}) {
  const logs: LogRecord[] = [];
  const store = new MemoryTaskStore();
  const coordinator = new JavaCoordinator({
    jarsRoot,
    jvmArgs: [`-Ddoes=${does}`, "-Xmx64m", "-XX:TieredStopAtLevel=1"],
    startupTimeoutMs: PATIENCE_MS,
    killGraceMs: PATIENCE_MS,
    ...options,
  });
  const result = await coordinator.executeTask({
    taskInstance: { dagId: "d", taskId: "t", runId: "r", tryNumber: 1, shouldRetry: true },
    store,
    ...request,
    logSink: {
      write(record) {
        logs.push(record);
        if (record.logger === "task") onEvent?.(String(record.event));
      },
    },
  });
  const said = (logger: string) =>
    logs.filter((record) => record.logger === logger).map(({ event }) => String(event));
  return { result, store, said, ended: [result.finalState, result.exitCode] };
}

function registerTests(): void {
  test.before(() => {
    jarsRoot = build();
  });

  test("a Java task succeeds, and its value is kept", async () => {
    const { store, said, ended } = await run("succeed");
    assert.equal(ended, ["success", 0], said("task.stderr").join("\n"));
    assert.match(said("task")[0] ?? "", /^on Java \d/);
    const key = { dagId: "d", runId: "r", taskId: "t", mapIndex: -1, key: "return_value" };
    assert.is((await store.xcoms.get(key))?.value, "caf\u00e9");
  });

  test("failures: reported, thrown, an exit code, a heap that is too small", async () => {
    const [failed, thrown, exited, starved] = await Promise.all(
      ["fail", "throw", "exit", "starve"].map((does) => run(does)),
    );
    assert.equal(failed?.ended, ["failed", 0]);
    assert.equal(thrown?.ended, ["up_for_retry", 1]);
    assert.match(
      thrown?.said("task.stderr").join("\n") ?? "",
      "thrown by the task\n\tat Probe.main",
    );
    assert.equal(exited?.ended, ["up_for_retry", 7]);
    assert.equal(starved?.ended, ["up_for_retry", 1]);
    assert.match(starved?.said("task.stderr").join("\n") ?? "", "OutOfMemoryError");
  });

  test("it is ended: by SIGTERM, by SIGKILL when its hooks never end, by SIGKILL at once", async () => {
    const stopAt = (
      event: string,
      name: "signal" | "killSignal",
      does: string,
      killGraceMs?: number,
    ) => {
      const controller = new AbortController();
      return run(does, {
        request: { [name]: controller.signal },
        options: killGraceMs === undefined ? {} : { killGraceMs },
        onEvent: (said) => said === event && controller.abort(),
      });
    };
    const [term, stubborn, kill] = await Promise.all([
      stopAt("waiting", "signal", "wait"),
      stopAt("waiting", "signal", "stubborn", 500),
      stopAt("waiting", "killSignal", "wait"),
    ]);
    assert.equal(term?.ended, ["up_for_retry", 143], "the machine turns the signal into this code");
    assert.equal(stubborn?.ended, ["up_for_retry", -9]);
    assert.equal(kill?.ended, ["up_for_retry", -9]);
  });

  test("threads that go on after the report are ended in time; it stays a success by its report", async () => {
    const { said, ended } = await run("linger", { options: { successOvertimeMs: 200 } });
    assert.match(
      said("parlance.supervisor").join("\n"),
      /still runs 0\.2 s after its terminal message/,
    );
    assert.equal(ended, ["up_for_retry", 143], "an exit code other than 0 wins");
  });

  test("what it leaves behind is ended with it", async () => {
    const { said, ended } = await run("leave");
    assert.equal(ended, ["success", 0]);
    const pid = Number(/left (\d+)/.exec(said("task").join())?.[1]);
    assert.ok(pid > 0);
    while (isAlive(pid)) await sleep(20); // it was sent SIGKILL; the guard's deadline is the limit
  });

  test("without the program, or with one that is too old for the classes, the log says why", async () => {
    const missing = await run("succeed", { options: { javaExecutable: "no-such-java" } });
    assert.equal(missing.result.error?.code, "spawn-failed");
    const wrong = await run("succeed", { options: { jvmArgs: ["-XX:+NoSuchFlag"] } });
    assert.is(wrong.result.error?.code, "exited-before-connect");
    assert.match(wrong.said("task.stderr").join() + wrong.said("task.stdout").join(), "NoSuchFlag");
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

if (spawnSync("jar", ["--version"]).status === 0) registerTests();
else skip(test, "tasks in a Java virtual machine", "there is no JDK: java, javac and jar");

test.run();
