import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

/** Few: one connection is expected, a flood of strangers shall wait in the kernel. */
const BACKLOG = 16;

/** A listener on 127.0.0.1 with a port chosen by the system. */
export interface LoopbackListener {
  readonly port: number;
  /** Stops listening; connections that were handed out stay. */
  close(): void;
}

/**
 * Listens on 127.0.0.1, port 0. Each connection goes to `onConnection` with Nagle's delay off and
 * an error handler attached, so that a peer's reset can never end our process.
 */
export async function listenOnLoopback(
  onConnection: (socket: Socket) => void,
): Promise<LoopbackListener> {
  const server: Server = createServer({ noDelay: true }, (socket) => {
    socket.on("error", ignore); // whoever takes the socket learns of it by "close"
    onConnection(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // exclusive: in a cluster worker the port would else be shared with the others
    server.listen({ host: "127.0.0.1", port: 0, backlog: BACKLOG, exclusive: true }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  server.on("error", ignore); // e.g. EMFILE on accept: that connection is lost, listening goes on
  return { port: (server.address() as AddressInfo).port, close: () => void server.close(ignore) };
}

function ignore(): void {}
