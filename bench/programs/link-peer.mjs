// The other process of the round-trip rows. One port of it leads to the coordinator's session with
// a child, its validators on, its handler a stub; the other one to a raw echo.
import { createServer } from "node:net";
import { MemoryTaskStore, SecretMasker } from "../../packages/coordinator/dist/index.js";
import { answer } from "../../packages/coordinator/dist/supervise/answers.js";
import { RequestSession } from "../../packages/coordinator/dist/supervise/request-session.js";

const messageBytes = Number(process.argv[2]);
const VALUE = { rows: 1250, ok: true };

const session = await listen((comm) => {
  const attempt = {
    schemaVersion: "2026-06-16",
    store: new MemoryTaskStore(),
    masker: new SecretMasker(),
  };
  const handlers = { GetXCom: ({ key }) => answer("XComResult", { key, value: VALUE }) };
  new RequestSession({ comm, attempt, handlers }).start({ type: "StartupDetails" });
});

// One write a message: it answers each one when it has it whole, as every peer has to.
const message = Buffer.alloc(messageBytes, 0x2a);
const echo = await listen((socket) => {
  let received = 0;
  socket.on("data", (chunk) => {
    for (received += chunk.length; received >= messageBytes; received -= messageBytes) {
      socket.write(message);
    }
  });
});
process.send({ session, echo });
process.once("disconnect", () => process.exit());

async function listen(onConnection) {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on("error", () => {});
    onConnection(socket);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server.address().port;
}
