import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

/**
 * One connection is expected, but when strangers fill the backlog the kernel drops the greeting of
 * everybody else, who tries again only a second later (seen with 16 and with 128). Waiting behind
 * them costs milliseconds. The system cuts this to its own limit.
 */
const BACKLOG = 4_096;

const ACCEPTED = { noDelay: true, pauseOnConnect: true, allowHalfOpen: true };

/** A listener on 127.0.0.1 with a port chosen by the system. */
export interface LoopbackListener {
  readonly port: number;
  /** Stops listening; connections that were handed out stay. */
  close(): void;
}

/**
 * Listens on 127.0.0.1, port 0. Each connection goes to `onConnection` with Nagle's delay off, half
 * open when the peer ends its side, and an error handler attached, so that a peer's reset can never
 * end our process.
 *
 * A connection is not read before somebody listens for its data, so that neither bytes nor the end
 * are missed however late that is.
 */
export async function listenOnLoopback(
  onConnection: (socket: Socket) => void,
): Promise<LoopbackListener> {
  const server: Server = createServer(ACCEPTED, (socket) => {
    socket.on("error", ignore); // whoever takes the socket learns of it by "close"
    readWhenHeard(socket);
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

/** Node starts a socket for the first data listener, but not one that was paused on connect. */
function readWhenHeard(socket: Socket): void {
  const start = (event: string | symbol): void => {
    if (event !== "data") return;
    socket.off("newListener", start);
    socket.resume(); // the bytes come in a later turn; a pause() until then still counts
  };
  socket.on("newListener", start);
}

function ignore(): void {}
