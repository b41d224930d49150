import { connect, type Socket } from "node:net";
import { serveBackend } from "@parlance/dev";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FixtureBackend } from "../fixture/fixture-backend.ts";
import { send, signIn } from "../http-client.ts";

const backend = new FixtureBackend(1);
const server = await serveBackend({ backend });
const { port } = server;
const browser = await signIn(server.url);
test.after(() => server.close());

function open(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket));
    socket.on("error", reject);
  });
}

/** Calls with all that has come, until that gives true. */
function until(socket: Socket, isEnough: (text: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (isEnough(text)) resolve(text);
    });
    socket.on("close", () => reject(new Error(`closed after ${text.length} characters`)));
  });
}

const requestText = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${browser.cookie}\r\n\r\n`;

test("10,000 requests are answered one like the other", async () => {
  const lanes = Array.from({ length: 10 }, async () => {
    const socket = await open();
    const half = requestText("/api/dev/dags/plain_tasks") + requestText("/nothing");
    let answered = 0;
    const done = until(socket, (text) => {
      answered = text.split("HTTP/1.1 200 OK").length - 1;
      return answered === 500 && text.split("HTTP/1.1 404 Not Found").length - 1 === 500;
    });
    socket.write(half.repeat(500));
    await done;
    socket.destroy();
    return answered;
  });
  const answered = await Promise.all(lanes);
  assert.is(
    answered.reduce((sum, each) => sum + each, 0),
    5_000,
  );
});

test("connections that send nothing do not keep others out for ever, and their number is bounded", async () => {
  const idle: Socket[] = [];
  for (let count = 0; count < 300; count++) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {}); // one too many: reset
    idle.push(socket);
  }
  const closed = idle.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
  await Promise.race(closed); // the 257th at once
  for (const socket of idle) socket.destroy();
  await Promise.all(closed);
  let answer = await browser.get("/api/dev/dags/plain_tasks").catch(() => undefined);
  while (answer === undefined) {
    answer = await browser.get("/api/dev/dags/plain_tasks").catch(() => undefined);
  }
  assert.is(answer.status, 200);
});

test("headers that come byte by byte are cut off", async () => {
  const socket = await open();
  socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`);
  const drip = setInterval(() => socket.write("X-A: b\r\n"), 500);
  const text = await new Promise<string>((resolve) => {
    let all = "";
    socket.on("data", (chunk: Buffer) => {
      all += chunk.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(all));
  });
  clearInterval(drip);
  assert.match(text, /^HTTP\/1\.1 408 /);
});

test("headers of more than 16 KiB, and what is no HTTP, get a short answer", async () => {
  const answer = await send(port, "/", { headers: { "x-long": "x".repeat(20_000) } });
  assert.is(answer.status, 431);
  const socket = await open();
  const text = until(socket, (all) => all.includes("\r\n\r\n"));
  socket.write("\u0000\u0001 nonsense\r\n\r\n");
  assert.match(await text, /^HTTP\/1\.1 400 /);
  socket.destroy();
});

test("a target that is no path is refused", async () => {
  for (const line of [`GET http://127.0.0.1:${port}/ HTTP/1.1`, "GET * HTTP/1.1"]) {
    const socket = await open();
    const text = until(socket, (all) => all.includes("\r\n\r\n"));
    socket.write(`${line}\r\nHost: 127.0.0.1:${port}\r\nCookie: ${browser.cookie}\r\n\r\n`);
    assert.match(await text, /^HTTP\/1\.1 400 /, line);
    socket.destroy();
  }
});

test.run();
