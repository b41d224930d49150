import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { LogChannel } from "../../dist/logs/log-channel.js";

function open(maxBufferedBytes = 1 << 20, reservedBytes = 0) {
  const stderr: string[] = [];
  const channel = new LogChannel({
    maxBufferedBytes,
    reservedBytes,
    writeToStderr: (bytes, written) => {
      stderr.push(Buffer.from(bytes).toString());
      setImmediate(written);
    },
    droppedLine: ({ count, from, to }) => {
      assert.ok(from <= to);
      return `dropped ${count}\n`;
    },
  });
  return { channel, stderr };
}

async function listen() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const peer = once(server, "connection").then(([socket]) => socket as Socket);
  return { server, port, peer };
}

async function textOf(socket: Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket.setEncoding("utf8")) text += chunk;
  return text;
}

test("lines of before and after the connection arrive in order", async () => {
  const { channel, stderr } = open();
  const { server, port, peer } = await listen();
  for (const n of [1, 2, 3]) channel.write(`${n}\n`);
  const socket = connect(port, "127.0.0.1");
  channel.attach(socket);
  const text = peer.then(textOf);
  channel.write("4\n");
  await channel.flush();
  channel.write("5\n");
  await channel.flush();
  assert.is(channel.settled, 5);
  socket.end();
  assert.is(await text, "1\n2\n3\n4\n5\n");
  server.close();
  assert.is(stderr.join(""), "");
});

test("when nobody listens they go to stderr, after one notice", async () => {
  const { server, port } = await listen();
  server.close();
  const { channel, stderr } = open();
  channel.write("1\n");
  channel.attach(connect(port, "127.0.0.1"));
  channel.write("2\n");
  await channel.flush();
  channel.write("3\n");
  await channel.flush();
  assert.match(stderr.join(""), /^parlance: .*could not be opened .*ECONNREFUSED.*\n1\n2\n3\n$/);
});

test("without a supervisor they go to stderr alone", async () => {
  const { channel, stderr } = open();
  channel.useStderr();
  channel.write("1\n");
  await channel.flush();
  assert.equal(stderr, ["1\n"]);
});

test("a batch without confirmation is written again when the link breaks", async () => {
  const { channel, stderr } = open(64 << 20);
  const { server, port, peer } = await listen();
  const socket = connect(port, "127.0.0.1");
  channel.attach(socket);
  const other = await peer; // never reads
  const count = 200_000;
  for (let n = 0; n < count; n++) channel.write(`${n} ${"x".repeat(90)}\n`);
  while (channel.settled === 0) await new Promise(setImmediate);
  other.resetAndDestroy();
  await channel.flush();
  const numbers = stderr.join("").match(/^\d+(?= x)/gm) ?? [];
  const first = Number(numbers[0]);
  assert.ok(first > 0 && first < count);
  assert.is(numbers.length, count - first, "each later line once");
  server.close();
});

test("past its memory limit it drops, counts and says so", async () => {
  const { channel } = open(1000);
  const { server, port, peer } = await listen();
  for (let n = 0; n < 100; n++) channel.write(`${"x".repeat(99)}\n`);
  const socket = connect(port, "127.0.0.1");
  channel.attach(socket);
  const text = peer.then(textOf);
  await channel.flush();
  channel.write("last\n");
  await channel.flush();
  socket.end();
  const lines = (await text).split("\n");
  assert.is(lines.filter((line) => line.startsWith("x")).length, 10);
  assert.equal(lines.slice(10), ["dropped 90", "last", ""]);
  server.close();
});

test("errors may use what is reserved, so that a flood does not cost them", async () => {
  const { channel } = open(1000, 500);
  const { server, port, peer } = await listen();
  for (let n = 0; n < 100; n++) channel.write(`${"x".repeat(99)}\n`);
  channel.write("error\n", true);
  const socket = connect(port, "127.0.0.1");
  channel.attach(socket);
  const text = peer.then(textOf);
  await channel.flush();
  await channel.flush(); // what was dropped is told now
  socket.end();
  const lines = (await text).split("\n");
  assert.equal(lines.slice(5), ["error", "dropped 95", ""]);
  server.close();
});

test("a loop that never gives way is bounded, and one line tells all that was dropped", async () => {
  const { channel, stderr } = open(64 << 10);
  channel.useStderr();
  for (let n = 0; n < 100_000; n++) channel.write(`${n}\n`);
  await channel.flush();
  await channel.flush();
  const lines = stderr.join("").split("\n").slice(0, -1);
  assert.is(lines.filter((line) => line.startsWith("dropped")).length, 1);
  const kept = lines.filter((line) => /^\d+$/.test(line)).length;
  assert.is(lines.at(-1), `dropped ${100_000 - kept}`);
  assert.ok(kept > 10_000 && kept < 50_000, `${kept} lines of 6 bytes`);
});

test("nothing is dropped from a loop that asks for room now and then", async () => {
  const { channel } = open(2 << 20);
  const { server, port, peer } = await listen();
  const socket = connect(port, "127.0.0.1");
  channel.attach(socket);
  const text = peer.then(textOf);
  const count = 20_000; // 10 MB
  for (let n = 0; n < count; n++) {
    channel.write(`${n} ${"x".repeat(500)}\n`);
    if (n % 100 === 0) await channel.drained();
  }
  await channel.flush();
  socket.end();
  const numbers = (await text).match(/^\d+/gm) ?? [];
  assert.is(numbers.length, count);
  assert.ok(numbers.every((number, index) => Number(number) === index));
  server.close();
});

test.run();
