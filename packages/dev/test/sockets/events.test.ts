import { connect, type Socket } from "node:net";
import { type DevEvent, serveBackend } from "@parlance/dev";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FixtureBackend } from "../fixture/fixture-backend.ts";
import { signIn } from "../http-client.ts";

const backend = new FixtureBackend(1);
const server = await serveBackend({ backend });
const browser = await signIn(server.url);
test.after(() => server.close());

/** A stream of events, as `EventSource` reads it. */
class Stream {
  readonly socket: Socket;
  lastId = "";
  #text = "";
  #waiting: (() => void) | undefined;
  readonly #events: DevEvent[] = [];
  readonly closed: Promise<void>;

  constructor(lastId?: string) {
    this.socket = connect(server.port, "127.0.0.1");
    this.socket.on("error", () => {});
    this.closed = new Promise((resolve) => this.socket.once("close", () => resolve()));
    const resume = lastId === undefined ? "" : `Last-Event-ID: ${lastId}\r\n`;
    this.socket.write(
      `GET /api/dev/events HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nCookie: ${browser.cookie}\r\nConnection: close\r\n${resume}\r\n`,
    );
    this.socket.on("data", (chunk: Buffer) => this.#take(chunk.toString("utf8")));
  }

  async next(): Promise<DevEvent> {
    while (this.#events.length === 0) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
    return this.#events.shift() as DevEvent;
  }

  #take(text: string): void {
    this.#text += text;
    const blocks = this.#text.split("\n\n");
    this.#text = blocks.pop() ?? "";
    for (const block of blocks) {
      const id = /^id: (.+)$/m.exec(block)?.[1];
      const data = /^data: (.+)$/m.exec(block)?.[1];
      if (data === undefined) continue;
      this.lastId = id ?? this.lastId;
      this.#events.push(JSON.parse(data) as DevEvent);
    }
    this.#waiting?.();
  }
}

const project = (revision: number): DevEvent => ({ type: "project", revision });

test("who comes back is told what was missed, and nothing twice", async () => {
  const first = new Stream();
  assert.is((await first.next()).type, "hello");
  backend.publish(project(10));
  assert.equal(await first.next(), project(10));
  first.socket.destroy();
  await first.closed;
  backend.publish(project(11));
  backend.publish(project(12));
  const second = new Stream(first.lastId);
  assert.is((await second.next()).type, "hello");
  assert.equal(await second.next(), project(11));
  assert.equal(await second.next(), project(12));
  const third = new Stream(second.lastId);
  assert.is((await third.next()).type, "hello");
  backend.publish(project(13));
  assert.equal(await third.next(), project(13));
  second.socket.destroy();
  third.socket.destroy();
});

test("who was away for too long, or knows another server, is told to look again", async () => {
  const first = new Stream();
  await first.next();
  first.socket.destroy();
  for (let count = 0; count < 1_100; count++) backend.publish(project(count));
  for (const id of [first.lastId, "otherone.3", "nonsense", "9"]) {
    const stream = new Stream(id);
    assert.is((await stream.next()).type, "resync", id);
    backend.publish(project(1));
    assert.equal(await stream.next(), project(1), id);
    stream.socket.destroy();
  }
});

test("the number of streams is bounded, and one that ends makes room", async () => {
  const streams: Stream[] = [];
  const isOpen = async (stream: Stream) => {
    const ended = stream.closed.then(() => undefined);
    return (await Promise.race([stream.next(), ended])) !== undefined;
  };
  // Those of the tests before may still be closing: so many that there is one too many.
  for (let stream = new Stream(); await isOpen(stream); stream = new Stream()) {
    streams.push(stream);
    assert.ok(streams.length <= 32);
  }
  const refused = await browser.get("/api/dev/events");
  assert.is(refused.status, 429);
  for (const stream of streams) stream.socket.destroy();
  let fresh = new Stream();
  while (!(await isOpen(fresh))) fresh = new Stream();
  fresh.socket.destroy();
});

test("the end of the server ends the streams", async () => {
  const stream = new Stream();
  await stream.next();
  await server.close();
  await stream.closed;
});

test.run();
