// Log lines from another process over loopback, as a task's log channel brings them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const SENDER = fileURLToPath(new URL("../programs/send-file.mjs", import.meta.url));

/** Has another process send a file to a port; settles when it has ended. */
export async function sendFile(port, file) {
  const sender = spawn(process.execPath, [SENDER, String(port), file], { stdio: "inherit" });
  await once(sender, "exit");
}

/**
 * Has another process send a file to a socket of this one.
 *
 * @param {(socket: import("node:net").Socket) => Promise<void>} take reads it to its end
 * @returns milliseconds from the first byte until `take` is done
 */
export async function takeFile(file, take) {
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const ended = sendFile(server.address().port, file);
  const [socket] = await once(server, "connection");
  server.close();
  const startedAt = performance.now();
  await take(socket);
  const ms = performance.now() - startedAt;
  socket.destroy();
  await ended;
  return ms;
}
