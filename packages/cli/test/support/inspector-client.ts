import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";

type Params = { readonly [key: string]: unknown };

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: Params;
  readonly error?: { readonly message: string };
}

/** A debugger's end of Node's inspector protocol; only what a test needs of WebSocket. */
export class InspectorClient {
  readonly #socket: Socket;
  readonly #events: Message[] = [];
  readonly #answers = new Map<number, (message: Message) => void>();
  #onEvent: () => void = () => {};
  #rest: Buffer = Buffer.alloc(0);
  #lastId = 0;

  constructor(socket: Socket, head: Buffer) {
    this.#socket = socket;
    socket.on("error", () => {}); // the debugged process ends when it likes
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    this.#read(head);
  }

  /** Sends a command; gives its result. */
  async send(method: string, params: Params = {}): Promise<Params> {
    const id = ++this.#lastId;
    const answered = new Promise<Message>((resolve) => this.#answers.set(id, resolve));
    this.#socket.write(textFrame(JSON.stringify({ id, method, params })));
    const { result, error } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  /** The parameters of the next event of this kind, also of one that came before. */
  async event(method: string, isWanted: (params: Params) => boolean = () => true): Promise<Params> {
    for (;;) {
      const at = this.#events.findIndex((event) => {
        return event.method === method && isWanted(event.params ?? {});
      });
      if (at >= 0) return this.#events.splice(at, 1)[0]?.params ?? {};
      await new Promise<void>((resolve) => {
        this.#onEvent = resolve;
      });
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (let frame = readFrame(this.#rest); frame !== undefined; frame = readFrame(this.#rest)) {
      this.#rest = this.#rest.subarray(frame.end);
      const message = JSON.parse(frame.text) as Message;
      if (message.id === undefined) {
        this.#events.push(message);
        this.#onEvent();
      } else {
        this.#answers.get(message.id)?.(message);
      }
    }
  }
}

/** Connects to the URL that Node prints: `ws://HOST:PORT/ID`. */
export async function connectInspector(url: string): Promise<InspectorClient> {
  const sent: ClientRequest = request(url.replace(/^ws:/, "http:"), {
    headers: {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-key": randomBytes(16).toString("base64"),
      "sec-websocket-version": "13",
    },
  }).end();
  const [, socket, head] = (await once(sent, "upgrade")) as [IncomingMessage, Socket, Buffer];
  return new InspectorClient(socket, head);
}

/** A client masks what it sends; with zeros, which leaves the text as it is. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const header = Buffer.alloc(8);
  header[0] = 0x81;
  header[1] = 0x80 | 126;
  header.writeUInt16BE(payload.length, 2);
  return Buffer.concat([header, payload]);
}

function readFrame(bytes: Buffer): { readonly text: string; readonly end: number } | undefined {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] ?? 0) & 0x7f;
  const start = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (bytes.length < start) return undefined;
  const length =
    short === 127
      ? Number(bytes.readBigUInt64BE(2))
      : short === 126
        ? bytes.readUInt16BE(2)
        : short;
  const end = start + length;
  return bytes.length < end ? undefined : { text: bytes.toString("utf8", start, end), end };
}
