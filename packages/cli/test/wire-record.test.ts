import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { encodeResponseFrame } from "@parlance/framing";
import { skip, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { errorOf, PACKAGE, parlance } from "./support/cli.ts";

const folder = temporaryFolder();
const RUNTIME = [process.execPath, join(PACKAGE, "test/fixtures/wire-runtime.mjs")];

/** One listener of a coordinator; keeps what it reads. */
class Listener {
  readonly server = createServer({ allowHalfOpen: true });
  readonly socket: Promise<Socket>;
  received = Buffer.alloc(0);

  constructor() {
    this.socket = new Promise((resolve) => {
      this.server.once("connection", (socket) => {
        socket.on("data", (chunk) => {
          this.received = Buffer.concat([this.received, chunk]);
        });
        socket.on("error", () => {});
        this.server.close();
        resolve(socket);
      });
    });
  }

  async address(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.server.unref(); // nobody may come
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async ended(): Promise<void> {
    const socket = await this.socket;
    if (!socket.readableEnded)
      await new Promise((resolve) => socket.once("close", resolve).once("end", resolve));
  }
}

async function listen() {
  const [comm, logs] = [new Listener(), new Listener()];
  const words = [`--comm=${await comm.address()}`, `--logs=${await logs.address()}`];
  return { comm, logs, words };
}

const entriesOf = (path: string): Record<string, unknown>[] =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => {
      const { ms, ...entry } = JSON.parse(line);
      assert.ok(entry.transcript === 1 || ms >= 0);
      return entry;
    });

const DETAILS = encodeResponseFrame({
  id: 0,
  body: {
    type: "StartupDetails",
    ti: { dag_id: "my dag/1", task_id: "t", run_id: "r+1", try_number: 2, map_index: -1 },
  },
});

test("what passes is unchanged, whatever it is; each half of a link is closed on its own", async () => {
  const { comm, logs, words } = await listen();
  const out = join(folder, "{dag}.{try}.{none}.ndjson");
  const running = parlance([
    "wire",
    "record",
    "--out",
    out,
    "--",
    ...RUNTIME,
    "odd",
    "--token",
    "s3cret",
    ...words,
  ]);
  const link = await comm.socket;
  link.write(DETAILS.subarray(0, 7));
  link.write(DETAILS.subarray(7));
  await comm.ended(); // the runtime still lives, and hears our end
  assert.is(
    comm.received.toString("hex"),
    "00000006920181a178010000000a940281a17802c09205f6000000000000000393" +
      "01c1000000029105000000649301",
  );
  link.end();
  const { code, stdout, stderr } = await running;
  assert.is(code, 7);
  assert.is(stdout, "out\n");
  assert.is(stderr, "err without an end");
  await logs.ended();
  const lines = '{"level":"info","event":"one"}\n{"level":"info"}\n\xff\nno end';
  assert.is(logs.received.toString(), lines);

  const path = join(folder, "my_dag_1.2.{none}.ndjson");
  assert.is(statSync(path).mode & 0o777, 0o600);
  const [head, ...entries] = entriesOf(path);
  assert.equal(head?.["argv"], [...RUNTIME, "odd", "--token", "***"]);
  const frames = entries.filter(
    (entry) => "frame" in entry && entry["direction"] === "to-supervisor",
  );
  assert.equal(
    frames.map(({ frame: _, direction: __, ...fields }) => fields),
    [
      { length: 6, id: 1, body: { x: 1 }, carrier: null },
      { length: 10, id: 2, body: { x: 2 }, carrier: null, elements: 4, more: [[5, -10]] },
      { length: 0, fault: "empty-frame", hex: "" },
      { length: 3, fault: "not-msgpack", hex: "9301c1" },
      { length: 2, fault: "bad-arity", hex: "9105" },
      { length: 100, fault: "truncated", hex: "9301" },
    ],
  );
  const others = entries
    .filter((entry) => !("frame" in entry))
    .map((entry) => JSON.stringify(entry));
  for (const entry of [
    { log: '{"level":"info","event":"one"}' },
    { log: '{"level":"info"}' },
    { log: "\u00ff" },
    { log: "no end" },
    { stdout: "out" },
    { stderr: "err without an end" },
    { closed: "task" },
    { closed: "supervisor" },
  ]) {
    assert.ok(others.includes(JSON.stringify(entry)), `${JSON.stringify(entry)} in ${others}`);
  }
  assert.equal(entries.at(-1), { exit: 7 });
  const details = entries.find(({ direction }) => direction === "to-task");
  assert.match(JSON.stringify(details), '"try_number":2');
});

test("large frames and lines pass whole, though a slow reader holds them up; they are told, not kept", async () => {
  const size = 6_000_000;
  const { comm, logs, words } = await listen();
  const out = join(folder, "flood.ndjson");
  writeFileSync(out, "of another run");
  const args = [
    "wire",
    "record",
    "--out",
    out,
    "--max-frame-bytes",
    "1000",
    "--",
    ...RUNTIME,
    "flood",
  ];
  const env = { FLOOD_BYTES: String(size) };
  const running = parlance([...args, ...words], { env });
  const link = await comm.socket;
  link.pause();
  const sent = Buffer.alloc(size, 7);
  sent.writeUInt32BE(size - 4);
  link.write(sent);
  setTimeout(() => link.resume(), 200);
  assert.is((await running).code, 0);
  await comm.ended();
  await logs.ended();
  assert.is(comm.received.length, size + 4);
  assert.is(comm.received.readUInt32BE(), size);
  assert.ok(comm.received.subarray(4).every((byte) => byte === 0xc0));
  assert.is(logs.received.length, size + 1);
  const entries = entriesOf(out);
  const frames = entries.filter((entry) => "frame" in entry);
  assert.equal(frames.map(({ length, omitted }) => [length, omitted]).sort(), [
    [size - 4, true],
    [size, true],
  ]);
  assert.is(entries.find((entry) => "log" in entry)?.["log"], "x".repeat(size));
});

test("a command line without the coordinator's addresses, and a coordinator that is not there", async () => {
  const none = await parlance(["wire", "record", "--out", "x", "--json", "--", "true"]);
  assert.is(none.code, 2);
  assert.match(errorOf(none).message, "there is no --comm=HOST:PORT behind the command");
  const words = ["--comm=127.0.0.1:1", "--logs=127.0.0.1:1"];
  const out = join(folder, "none.ndjson");
  const gone = await parlance([
    "wire",
    "record",
    "--out",
    out,
    "--json",
    "--",
    ...RUNTIME,
    "stubborn",
    ...words,
  ]);
  assert.is(gone.code, 69);
  assert.is(errorOf(gone).code, "cannot-connect");
  const missing = await parlance([
    "wire",
    "record",
    "--out",
    out,
    "--json",
    "--",
    "/no/such",
    ...words,
  ]);
  assert.is(missing.code, 1);
  assert.is(errorOf(missing).code, "spawn-failed");
  const silent = await parlance([
    "wire",
    "record",
    "--out",
    out,
    "--",
    "sh",
    "-c",
    "echo why >&2; exit 5",
    "sh",
    ...words,
  ]);
  assert.is(silent.code, 5);
  assert.is(silent.stderr, "why\n");
  assert.equal(entriesOf(out).slice(1), [{ stderr: "why" }, { exit: 5 }]);
});

if (process.platform === "win32") {
  skip(test, "signals", "there are none");
} else {
  const record = (out: string, mode: string, words: readonly string[]) =>
    spawn(
      process.execPath,
      [
        `${PACKAGE}bin/parlance.js`,
        "wire",
        "record",
        "--out",
        out,
        "--",
        ...RUNTIME,
        mode,
        ...words,
      ],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
  const closed = (child: ReturnType<typeof spawn>) =>
    new Promise((resolve) => child.on("close", (code, signal) => resolve([code, signal])));

  test("a runtime that dies by a signal: so do we; no disk for a transcript costs it nothing", async () => {
    const { words } = await listen();
    const out = existsSync("/dev/full") ? "/dev/full" : join(folder, "signal.ndjson");
    const child = record(out, "signal", words);
    let stderr = "";
    child.stderr?.on("data", (chunk) => {
      stderr += chunk;
    });
    assert.equal(await closed(child), [null, "SIGKILL"]);
    if (out === "/dev/full") {
      assert.match(stderr, /^parlance: warning: the transcript: ENOSPC[^\n]*\n$/);
    }
  });

  test("signals are passed on, and do not end us before the runtime", async () => {
    const { words } = await listen();
    const out = join(folder, "signals.ndjson");
    const child = record(out, "stubborn", words);
    let stdout = "";
    child.stdout?.on("data", (chunk) => {
      stdout += chunk;
      if (stdout.endsWith("is up\n")) child.kill("SIGTERM");
      if (stdout.endsWith("got SIGTERM\n")) child.kill("SIGUSR2");
    });
    assert.equal(await closed(child), [9, null]);
    assert.is(stdout, "is up\ngot SIGTERM\ngot SIGUSR2\n");
    const signals = entriesOf(out).filter((entry) => "signal" in entry || "exit" in entry);
    assert.equal(signals, [{ signal: "SIGTERM" }, { signal: "SIGUSR2" }, { exit: 9 }]);
  });
}

test.run();
