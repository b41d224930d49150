import type { ServerResponse } from "node:http";
import type { NumberedEvent } from "./event-journal.ts";

/** What may wait for one client, in bytes, before it is sent away. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** One open stream of events. */
export class EventClient {
  readonly #response: ServerResponse;
  #waitingAtHeartbeat = 0;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** A client that does not read is cut off: it comes back, and is told what it missed. */
  send({ id, text }: NumberedEvent): void {
    this.#write(`id: ${id}\ndata: ${text}\n\n`);
  }

  /** Keeps the line alive. One that has not taken a byte since the last time is cut off. */
  beat(): void {
    const waiting = this.#response.writableLength;
    if (waiting > 0 && waiting >= this.#waitingAtHeartbeat && this.#waitingAtHeartbeat > 0) {
      this.close();
      return;
    }
    this.#waitingAtHeartbeat = waiting;
    this.#write(": still here\n\n");
  }

  close(): void {
    this.#response.destroy();
  }

  #write(text: string): void {
    if (this.#response.destroyed) return;
    this.#response.write(text);
    if (this.#response.writableLength > MAX_WAITING_BYTES) this.close();
  }
}
