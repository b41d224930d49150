import { fileURLToPath } from "node:url";
import { OneTimeToken } from "../access/one-time-token.ts";
import { newSecret } from "../access/secrets.ts";
import { Sessions } from "../access/sessions.ts";
import type { DevBackend } from "../backend/dev-backend.ts";
import { EventStreams } from "../events/event-streams.ts";
import { readPageFiles } from "../static/page-files.ts";
import { createApp } from "./create-app.ts";
import { LIMITS } from "./limits.ts";

/** @see serveBackend */
export interface ServeOptions {
  readonly backend: DevBackend;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default `127.0.0.1`. There is no other choice: this server is for one person on this machine. */
  readonly host?: "127.0.0.1" | "::1";
  /** The folder with the built page. Default: the one in this package. */
  readonly pageFolder?: string;
  /** How long the address that is printed can be opened, in milliseconds. Default 10 minutes. */
  readonly tokenLifetimeMs?: number;
  /** Told of faults of the server itself. Default: nobody. */
  readonly onFault?: (error: unknown) => void;
}

/** A server that is running. */
export interface RunningServer {
  /** The address with its token: it opens the page once. */
  readonly url: string;
  readonly port: number;
  /** A new address; the one before it is no longer valid. Sessions go on. */
  freshUrl(): string;
  /** Ends all connections; can be called again. */
  close(): Promise<void>;
}

const TOKEN_LIFETIME_MS = 10 * 60_000;
const HEARTBEAT_MS = 15_000;

/**
 * Serves a backend on a loopback address.
 *
 * @throws the system's error where the port is taken (`EADDRINUSE`) or the address is not there
 */
export async function serveBackend(options: ServeOptions): Promise<RunningServer> {
  const { backend, host = "127.0.0.1" } = options;
  if (host !== "127.0.0.1" && host !== "::1") {
    throw new TypeError(`serveBackend: host is ${String(host)}; expected "127.0.0.1" or "::1"`);
  }
  const page = await readPageFiles(options.pageFolder ?? ownPageFolder());
  const token = new OneTimeToken({
    lifetimeMs: options.tokenLifetimeMs ?? TOKEN_LIFETIME_MS,
    now: () => performance.now(),
  });
  const events = new EventStreams({
    mark: newSecret().slice(0, 8),
    revision: () => backend.revision,
    now: () => new Date(),
    heartbeatMs: HEARTBEAT_MS,
  });
  let port = -1;
  let sessions: Sessions | undefined;
  const app = createApp({
    backend,
    events,
    page,
    token,
    port: () => port,
    sessions: () => sessions ?? new Sessions(port),
    onFault: options.onFault ?? (() => {}),
  });
  await app.listen({ host, port: options.port ?? 0 });
  app.server.maxConnections = LIMITS.connections;
  port = (app.server.address() as { readonly port: number }).port;
  sessions = new Sessions(port);
  const unsubscribe = backend.subscribe((event) => events.publish(event));
  const freshUrl = () => {
    const name = host === "::1" ? "[::1]" : host;
    return `http://${name}:${port}/?token=${token.issue()}`;
  };
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      unsubscribe();
      events.close();
      await app.close();
    })();
    return closing;
  };
  return { url: freshUrl(), port, freshUrl, close };
}

function ownPageFolder(): string {
  return fileURLToPath(new URL("../page", import.meta.url));
}
