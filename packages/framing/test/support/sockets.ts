import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Two connected sockets over loopback: what one writes the other reads. */
export async function socketPair(): Promise<readonly [Socket, Socket]> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, "connection") as Promise<[Socket]>;
  const client = connect(port, "127.0.0.1");
  const [[peer]] = await Promise.all([accepted, once(client, "connect")]);
  server.close();
  return [client.setNoDelay(true), peer.setNoDelay(true)];
}
