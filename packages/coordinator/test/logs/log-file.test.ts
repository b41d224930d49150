import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import {
  combineSinks,
  type LogFileError,
  type LogRecord,
  openLogFile,
  readLogLine,
  SecretMasker,
} from "@parlance/coordinator";
import { LineDecoder } from "@parlance/framing";
import { load, rejects, skip, temporaryFolder, throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { LogPump } from "../../dist/logs/log-pump.js";

const folder = temporaryFolder();
const record = (event: unknown, fields: object = {}): LogRecord =>
  ({
    timestamp: "2026-06-16T01:02:03.000000Z",
    level: "info",
    logger: "task",
    event,
    ...fields,
  }) as LogRecord;
const linesOf = (path: string): string[] => readFileSync(path, "utf8").split("\n");
const jsonOf = (path: string): LogRecord[] => {
  const lines = linesOf(path);
  assert.is(lines.pop(), ""); // the last line is whole
  return lines.map((line) => JSON.parse(line));
};

test("JSON lines: private, appended to, and nothing in a record ends a line or acts upon a terminal", async () => {
  const path = join(folder, "a.ndjson");
  const evil = record("a\nb\r\u2028\u0085\u001b[31m\u202e", { "k\n": ["\u2029"] });
  for (let round = 0; round < 2; round++) {
    const file = await openLogFile(path);
    assert.is(file.write(evil), undefined);
    await file.close();
    await file.close();
    const error = throws(() => file.write(evil)) as LogFileError;
    assert.is(error.code, "closed");
  }
  assert.equal(jsonOf(path), [evil, evil]);
  assert.match(readFileSync(path, "utf8"), /^[\x20-\x7e\n]+$/);
  assert.is(statSync(path).mode & 0o777, 0o600);
});

test("text: full time, one record after the other, with the task's name where it is shared", async () => {
  const path = join(folder, "a.log");
  const file = await openLogFile(path, { format: "text", cwd: "/home/me" });
  const sink = file.forAttempt({
    dagId: "d",
    runId: "r",
    taskId: "load",
    mapIndex: 2,
    tryNumber: 3,
  });
  await sink.write(record("first\nsecond", { n: 1 }));
  await sink.write(record({ a: 1 }, { level: "error" }));
  await sink.flush?.();
  assert.equal(linesOf(path), [
    "2026-06-16T01:02:03.000000Z info     [load[2] 3] first n=1",
    "    second",
    '2026-06-16T01:02:03.000000Z error    [load[2] 3] {"a":1}',
    "",
  ]);
  await file.close();
});

test("a line that a killed writer has left behind ends before the first record", async () => {
  const path = join(folder, "torn.ndjson");
  writeFileSync(path, '{"event":"whole"}\n{"eve');
  const file = await openLogFile(path);
  await file.write(record("next"));
  await file.close();
  assert.equal(linesOf(path).slice(0, 2), ['{"event":"whole"}', '{"eve']);
  assert.is(JSON.parse(linesOf(path)[2] ?? "").event, "next");
});

test("many attempts and several files on one path keep lines whole, and in the order of each", async () => {
  const path = join(folder, "many.ndjson");
  const files = await Promise.all([openLogFile(path), openLogFile(path)]);
  const count = load(20_000);
  await Promise.all(
    [0, 1, 2, 3].map(async (writer) => {
      const attempt = { dagId: "d", runId: "r", taskId: `t${writer}`, tryNumber: 1 };
      const sink = files[writer % 2]?.forAttempt(attempt);
      for (let n = 0; n < count; n++) {
        await sink?.write(record("x".repeat((n * 37) % 3_000), { n, ti: "its own" }));
      }
      await sink?.flush?.();
    }),
  );
  const next = new Map<string, number>();
  for (const { n, ti } of jsonOf(path)) {
    const { task_id: task } = ti as { task_id: string };
    assert.is(n, next.get(task) ?? 0);
    next.set(task, Number(n) + 1);
  }
  assert.equal([...next.values()], [count, count, count, count]);
  await Promise.all(files.map((file) => file.close()));
});

test("all cases of log lines are whole in a file, masked, beside another sink that fails", async () => {
  const path = join(folder, "cases.ndjson");
  const file = await openLogFile(path);
  const seen: LogRecord[] = [];
  const failing = {
    write: () => {
      throw new Error("no");
    },
  };
  const masker = new SecretMasker();
  masker.add("after");
  const now = (): Date => new Date(0);
  const pump = new LogPump({
    sink: combineSinks(failing, file, { write: (each) => void seen.push(each) }),
    masker,
    maxLineBytes: 2 ** 26,
    now,
  });
  const cases = new URL("../../test/cases/", import.meta.url);
  const expected: LogRecord[] = [];
  for (const name of readdirSync(cases).filter((each) => each.startsWith("LOG-"))) {
    const { input } = JSON.parse(readFileSync(new URL(name, cases), "utf8"));
    const chunks = input.chunks_hex.map((chunk: string | { repeat: string; count: number }) =>
      Buffer.from(typeof chunk === "string" ? chunk : chunk.repeat.repeat(chunk.count), "hex"),
    );
    const stream = new PassThrough();
    const done = pump.attach("logs", stream);
    for (const chunk of chunks) stream.write(chunk);
    stream.end();
    await done;
    const decoder = new LineDecoder({ maxLineBytes: 2 ** 26 });
    const lines = [...decoder.push(Buffer.concat(chunks)), ...decoder.end()];
    expected.push(...lines.map((line) => masker.mask(readLogLine(line, now()))));
  }
  await pump.flush();
  await file.close();
  assert.ok(seen.length > 40, `${seen.length} records`);
  assert.is(pump.sinkError?.lost, seen.length);
  const written = jsonOf(path);
  const exact = (records: readonly LogRecord[]) => JSON.stringify(records);
  assert.is(exact(written), exact(seen));
  assert.is(exact(written), exact(expected));
  assert.not(readFileSync(path, "utf8").includes('"after"'));
});

if (!existsSync("/dev/full")) {
  skip(test, "a full disk", "there is no /dev/full");
} else {
  test("a full disk is told once, costs no attempt its end, and is counted", async () => {
    const errors: LogFileError[] = [];
    const file = await openLogFile("/dev/full", { onError: (error) => errors.push(error) });
    const pump = new LogPump({
      sink: file,
      masker: new SecretMasker(),
      maxLineBytes: 1_000,
      now: () => new Date(),
    });
    for (let n = 0; n < 1_000; n++) pump.write(record("x".repeat(1_000)));
    await pump.flush();
    assert.is(pump.sinkError?.lost, 1_000);
    assert.match(pump.sinkError?.message ?? "", "the log file /dev/full: ENOSPC");
    assert.is(errors.length, 1);
    assert.is(file.lostRecords, 1_000);
    await file.close();
  });
}

if (process.platform === "win32") {
  skip(test, "a file that may not grow", "there is no ulimit");
} else {
  test("no part of a line stays where the file may not grow, and the whole ones do", async () => {
    const path = join(folder, "short.ndjson");
    const script = `
      import { openLogFile } from ${JSON.stringify(import.meta.resolve("@parlance/coordinator"))};
      process.on("SIGXFSZ", () => {});
      const file = await openLogFile(${JSON.stringify(path)});
      for (let n = 0; n < 50; n++) file.write({ timestamp: "", level: "info", logger: "t", event: "y".repeat(100), n });
      await file.close();
      process.stdout.write(String(file.lostRecords));`;
    const command = 'ulimit -f 2; exec "$0" --input-type=module -e "$1"'; // 2 KiB
    const child = spawn("/bin/bash", ["-c", command, process.execPath, script]);
    let lost = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => (lost += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    const code = await new Promise((resolve) => child.on("close", resolve));
    assert.is(code, 0, stderr);
    const kept = jsonOf(path);
    assert.ok(kept.length > 5 && kept.length < 20, `${kept.length} lines`);
    assert.is(Number(lost), 50 - kept.length);
  });
}

test("a slow disk makes the pump wait, and what can't be opened is told", async () => {
  const path = join(folder, "none", "x.log");
  const error = (await rejects(openLogFile(path))) as LogFileError;
  assert.is(error.code, "cannot-open");
  assert.match(error.message, "ENOENT");
  await rejects(openLogFile(join(folder, "y"), { format: "xml" as "json" }));
  const file = await openLogFile(join(folder, "slow.ndjson"));
  let count = 1;
  let waiting = file.write(record("z".repeat(10_000)));
  for (; waiting === undefined; count++) waiting = file.write(record("z".repeat(10_000)));
  assert.ok(count > 20 && count < 40, `${count} records before it waits`);
  await waiting;
  assert.is(jsonOf(file.path).length, count);
  await file.close();
});

test.run();
