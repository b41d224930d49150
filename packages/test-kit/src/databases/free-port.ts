import { randomInt } from "node:crypto";
import { createServer } from "node:net";

// Below the range that outgoing connections take their ports from (32768 and up on Linux): a server
// that is down for a moment must find its port free again, and a client that tries to reach it
// meanwhile must not connect to itself.
const LOWEST = 15_000;
const HIGHEST = 31_999;
const TRIES = 50;

/** A loopback port that nobody listens on. */
export async function freePort(): Promise<number> {
  for (let i = 0; i < TRIES; i++) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port among ${TRIES} tried between ${LOWEST} and ${HIGHEST}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
