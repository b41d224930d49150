import type { Socket } from "node:net";
import type { Endpoint } from "../ownership/endpoint.ts";
import type { OwnershipChecker, RootProcess } from "../ownership/ownership-checker.ts";
import { type LoopbackListener, listenOnLoopback } from "./loopback-listener.ts";
import { endsOf, OwnershipQueue } from "./ownership-queue.ts";

/** The two connections of a runtime. */
export type ChannelName = "comm" | "logs";

/** A connection that was refused because it does not come from the launched process tree. */
export interface ForeignConnection {
  readonly channel: ChannelName;
  readonly peer: Endpoint;
}

/** Both connections of the launched process. */
export interface AcceptedChannels {
  readonly comm: Socket;
  readonly logs: Socket;
}

/** @see ChannelAcceptor.open */
export interface ChannelAcceptorOptions {
  /** Undefined: the first connection on each listener is taken unseen (`ownership: "off"`). */
  readonly checker: OwnershipChecker | undefined;
  /** Told of each refused connection. */
  readonly onForeignConnection?: (connection: ForeignConnection) => void;
}

/**
 * Two listeners, comm and logs, that take one connection each.
 *
 * A listener closes as soon as it has taken its connection. A connection from outside the launched
 * process tree is destroyed (the stranger reads end of file), reported, and waiting goes on.
 * {@link close} gives back everything that was not handed out by {@link accepted}.
 */
export class ChannelAcceptor {
  /** Both connections, once both are there. Never rejects; stays open after {@link close}. */
  readonly accepted: Promise<AcceptedChannels>;
  readonly #queue: OwnershipQueue | undefined;
  readonly #onForeign: ((connection: ForeignConnection) => void) | undefined;
  readonly #listeners = new Map<ChannelName, LoopbackListener>();
  readonly #taken = new Map<ChannelName, Socket>();
  readonly #ports = new Map<ChannelName, number>();
  #resolveAccepted!: (channels: AcceptedChannels) => void;

  private constructor(options: ChannelAcceptorOptions) {
    this.#queue = options.checker === undefined ? undefined : new OwnershipQueue(options.checker);
    this.#onForeign = options.onForeignConnection;
    this.accepted = new Promise((resolve) => {
      this.#resolveAccepted = resolve;
    });
  }

  /** Opens both listeners; rejects with the system's error when that is impossible. */
  static async open(options: ChannelAcceptorOptions): Promise<ChannelAcceptor> {
    const acceptor = new ChannelAcceptor(options);
    try {
      await acceptor.#listen("comm");
      await acceptor.#listen("logs");
    } catch (error) {
      acceptor.close();
      throw error;
    }
    return acceptor;
  }

  /** The address to tell the child: `127.0.0.1:PORT`. */
  address(channel: ChannelName): string {
    return `127.0.0.1:${this.#ports.get(channel)}`;
  }

  /** Which connections have been taken so far. */
  isConnected(channel: ChannelName): boolean {
    return this.#taken.has(channel);
  }

  /** Names the launched process: from now on connections are judged. */
  start(root: RootProcess): void {
    this.#queue?.start(root);
  }

  /** Closes both listeners and destroys every connection, also the taken ones. */
  close(): void {
    this.release();
    for (const socket of this.#taken.values()) socket.destroy();
  }

  /** Closes both listeners and destroys what is not taken. */
  release(): void {
    for (const listener of this.#listeners.values()) listener.close();
    this.#listeners.clear();
    this.#queue?.close();
  }

  async #listen(channel: ChannelName): Promise<void> {
    const listener = await listenOnLoopback((socket) => this.#arrive(channel, socket));
    this.#listeners.set(channel, listener);
    this.#ports.set(channel, listener.port);
  }

  #arrive(channel: ChannelName, socket: Socket): void {
    if (!this.#listeners.has(channel)) {
      socket.destroy(); // came in while the listener was closing
      return;
    }
    if (this.#queue === undefined) {
      this.#take(channel, socket);
      return;
    }
    const peer = endsOf(socket)?.peer; // unknown once the socket is gone
    this.#queue.add(socket, (verdict) => {
      if (verdict === "owned" && !this.#taken.has(channel)) {
        this.#take(channel, socket);
        return;
      }
      socket.destroy();
      if (verdict === "foreign" && peer !== undefined) this.#onForeign?.({ channel, peer });
    });
  }

  #take(channel: ChannelName, socket: Socket): void {
    this.#taken.set(channel, socket);
    this.#listeners.get(channel)?.close();
    this.#listeners.delete(channel);
    const comm = this.#taken.get("comm");
    const logs = this.#taken.get("logs");
    if (comm === undefined || logs === undefined) return;
    this.release();
    this.#resolveAccepted({ comm, logs });
  }
}
