import type { ServerResponse } from "node:http";
import type { DevEvent } from "../api/types.ts";
import { ApiError } from "../http/api-error.ts";
import { EventClient } from "./event-client.ts";
import { EventJournal } from "./event-journal.ts";

/** @see EventStreams */
export interface EventStreamsOptions {
  /** Tells the ids of this server from those of others. */
  readonly mark: string;
  /** The number of the code that is in use. */
  readonly revision: () => number;
  readonly now: () => Date;
  /** Between two comments that keep a line alive, in milliseconds. */
  readonly heartbeatMs: number;
}

/** Streams that may be open at once: one for each tab. */
const MAX_CLIENTS = 32;

/** Events that are kept for who comes back. */
const KEPT_EVENTS = 1_000;

/** Sends events to all who listen, each no faster than it reads. */
export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #journal: EventJournal;
  readonly #clients = new Set<EventClient>();
  readonly #heartbeat: NodeJS.Timeout;

  constructor(options: EventStreamsOptions) {
    this.#options = options;
    this.#journal = new EventJournal(options.mark, KEPT_EVENTS);
    this.#heartbeat = setInterval(() => this.#beat(), options.heartbeatMs);
    this.#heartbeat.unref();
  }

  /** How many listen. */
  get size(): number {
    return this.#clients.size;
  }

  publish(event: DevEvent): void {
    const numbered = this.#journal.add(event);
    for (const client of this.#clients) client.send(numbered);
  }

  /**
   * Makes this response a stream of events, beginning with those after `lastId`.
   *
   * @param headers - of the answer, beside its content type
   * @throws ApiError `too-many`
   */
  open(
    response: ServerResponse,
    headers: NodeJS.Dict<number | string | string[]>,
    lastId: string | undefined,
  ): void {
    if (this.#clients.size >= MAX_CLIENTS) {
      throw new ApiError("too-many", "Too many pages listen to this server: close some.");
    }
    const missed = lastId === undefined ? [] : this.#journal.after(lastId);
    response.writeHead(200, { ...headers, "content-type": "text/event-stream; charset=utf-8" });
    const client = new EventClient(response);
    this.#clients.add(client);
    response.once("close", () => this.#clients.delete(client));
    response.on("error", () => {}); // the client has gone
    const greeting = {
      type: missed === undefined ? "resync" : "hello",
      revision: this.#options.revision(),
      serverTime: this.#options.now().toISOString(),
    } as const satisfies DevEvent;
    // The greeting is no event of the journal: it has the id of what came before what follows.
    const id = missed === undefined || lastId === undefined ? this.#journal.lastId : lastId;
    client.send({ id, text: JSON.stringify(greeting) });
    for (const event of missed ?? []) client.send(event);
  }

  close(): void {
    clearInterval(this.#heartbeat);
    for (const client of this.#clients) client.close();
  }

  #beat(): void {
    for (const client of this.#clients) client.beat();
  }
}
