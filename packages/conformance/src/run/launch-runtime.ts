// Starts a runtime as a case wants it. Run by a case, never by hand:
//
//   node launch-runtime.js PLAN PROGRAM ARGUMENT... --comm=127.0.0.1:P1 --logs=127.0.0.1:P2
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { type AddressInfo, createConnection, createServer } from "node:net";

/** What is done differently. */
export interface LauncherPlan {
  readonly address: "ipv4" | "name" | "ipv6-mapped" | "ipv6";
  readonly isLogsFirst: boolean;
  readonly isTwoWords: boolean;
  /** The log channel ends once so many bytes have come over it. */
  readonly cutLogsAfterBytes?: number;
  /** Gets the number of the runtime's process. */
  readonly pidFile?: string;
}

const HOSTS = {
  ipv4: "127.0.0.1",
  name: "localhost",
  "ipv6-mapped": "[::ffff:127.0.0.1]",
  ipv6: "[::1]",
};

const [planText = "{}", program = "", ...rest] = process.argv.slice(2);
const plan = JSON.parse(planText) as LauncherPlan;
const isAddress = (word: string): boolean => /^--(?:comm|logs)=127\.0\.0\.1:\d+$/.test(word);
/** Each is through when all that the runtime has sent has gone on. */
const relays: Promise<void>[] = [];
const words = await Promise.all(rest.filter(isAddress).map(respelled));
if (plan.isLogsFirst) words.reverse();
const args = [...rest.filter((word) => !isAddress(word)), ...words.flat()];

const child = spawn(program, args, { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`could not start ${program}: ${error.message}`);
  process.exit(70);
});
if (plan.pidFile !== undefined) writeFileSync(plan.pidFile, String(child.pid));
// The supervisor's signals go to all that it has started, the runtime too.
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => {});
child.on("exit", async (code, signal) => {
  await Promise.race([Promise.all(relays), new Promise((resolve) => setTimeout(resolve, 5_000))]);
  if (signal === null) process.exit(code ?? 70);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});

/** `--comm=127.0.0.1:P1` as the plan has it. */
async function respelled(word: string): Promise<string[]> {
  const [, flag = "", portText = ""] = /^(--\w+)=.+:(\d+)$/.exec(word) ?? [];
  const cutAfter = flag === "--logs" ? plan.cutLogsAfterBytes : undefined;
  const isRelayed = plan.address === "ipv6" || cutAfter !== undefined;
  const port = isRelayed ? await relay(Number(portText), cutAfter ?? Infinity) : Number(portText);
  const address = `${HOSTS[plan.address]}:${port}`;
  return plan.isTwoWords ? [flag, address] : [`${flag}=${address}`];
}

/** A supervisor of today listens on IPv4 only: what comes to the new port goes on to the old one. */
async function relay(port: number, cutAfterBytes: number): Promise<number> {
  const host = plan.address === "ipv6" ? "::1" : "127.0.0.1";
  const server = createServer({ allowHalfOpen: true }, (from) => {
    server.close();
    const to = createConnection({ host: "127.0.0.1", port, allowHalfOpen: true, noDelay: true });
    for (const socket of [from, to]) socket.on("error", () => from.destroy());
    relays.push(new Promise((resolve) => to.once("close", resolve)));
    let bytes = 0;
    from.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      to.write(chunk);
      if (bytes >= cutAfterBytes) from.destroy();
    });
    from.on("end", () => to.end());
    from.on("close", () => to.end());
    to.pipe(from);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}
