import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { ExecuteTaskRequest, LogRecord, TaskCommand } from "@parlance/coordinator";
import { load, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { LoadCoordinator, loadStore, play, withPerl } from "./support/load-coordinator.ts";
import { nothingLeft, resources } from "./support/resources.ts";

const PROGRAM = fileURLToPath(new URL("../../test/load/fixtures/strangers.mjs", import.meta.url));
/** In full also in `npm test`: they take three seconds. */
const STRANGERS_COUNT = 10_000;
const folder = temporaryFolder("parlance-strangers");

/** Says its addresses on stdout, and starts the runtime when the file `go` is there. */
class LateCoordinator extends LoadCoordinator {
  readonly #go: string;

  constructor(go: string) {
    super({ startupTimeoutMs: 300_000, env: {} });
    this.#go = go;
  }

  protected override async buildExecuteTaskCommand(
    request: ExecuteTaskRequest,
  ): Promise<TaskCommand> {
    const { argv, schemaVersion } = await super.buildExecuteTaskCommand(request);
    const wait = `echo "$@"; while [ ! -e ${this.#go} ]; do sleep 0.02; done; exec "$@"`;
    return { argv: ["/bin/sh", "-c", wait, "sh", ...argv], schemaVersion };
  }
}

function portsIn({ event }: LogRecord): string[] {
  return [...String(event).matchAll(/--(?:comm|logs)=127\.0\.0\.1:(\d+)/g)].map(([, port]) =>
    String(port),
  );
}

function startStrangers(total: number, atOnce: number, ports: readonly string[]) {
  const child = spawn(process.execPath, [PROGRAM, String(total), String(atOnce), ...ports], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { child, said: text(child.stdout) };
}

withPerl(test, "strangers that connect", () => {
  test(`another process connects first, ${STRANGERS_COUNT} times: it is never taken, and the task is unharmed`, async () => {
    await play(new LoadCoordinator(), "silent-0"); // what the first one opens for good
    const before = resources();
    const startedAt = performance.now();
    const go = join(folder, "go");
    let said: Promise<string> | undefined;
    const { result, supervisor, events } = await play(new LateCoordinator(go), "ok-1", {
      store: await loadStore(),
      onRecord: (record) => {
        const ports = portsIn(record);
        if (ports.length < 2 || said !== undefined) return;
        ({ said } = startStrangers(STRANGERS_COUNT, 150, ports));
        void said.then(() => writeFileSync(go, ""));
      },
    });
    assert.is(result.finalState, "success", JSON.stringify(result));
    const seconds = (performance.now() - startedAt) / 1000;
    console.log(`${STRANGERS_COUNT} strangers in ${seconds.toFixed(1)} s`);
    assert.equal(events, ["working 1"]);
    assert.equal(JSON.parse((await said) ?? "{}"), {
      closed: STRANGERS_COUNT,
      refused: 0,
      bytes: 0,
    });
    assert.ok(supervisor.length <= 20, "a flood does not fill the task's log");
    assert.ok(supervisor.every((event) => event.includes("is not the task's: refused")));
    await nothingLeft(before);
  });

  test(`${load(100)} tasks start while another process connects all the time`, async () => {
    const before = resources();
    const durations: number[] = [];
    for (let round = 0; round < load(100); round++) {
      const go = join(folder, `go-${round}`);
      let flood: ReturnType<typeof startStrangers> | undefined;
      let goneAt = 0;
      const { result } = await play(new LateCoordinator(go), `ok-${round}`, {
        store: await loadStore(),
        onRecord: (record) => {
          const ports = portsIn(record);
          if (ports.length < 2 || flood !== undefined) return;
          flood = startStrangers(1e9, 400, ports);
          setTimeout(() => {
            goneAt = performance.now();
            writeFileSync(go, "");
          }, 300);
        },
      });
      durations.push(performance.now() - goneAt);
      flood?.child.kill("SIGKILL");
      if (flood !== undefined) await once(flood.child, "exit");
      assert.is(result.finalState, "success", JSON.stringify(result));
    }
    durations.sort((left, right) => left - right);
    console.log(`start to verdict under a flood: ${durations.map(Math.round).join(", ")} ms`);
    assert.ok((durations.at(-1) ?? 0) < 50_000);
    await nothingLeft(before);
  });
});

test.run();
