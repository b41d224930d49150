// Starts a runtime with its two addresses in another form. Run by a case, never by hand:
//
//   node respell-address.js ipv6|name PROGRAM ARGUMENT... --comm=127.0.0.1:P1 --logs=127.0.0.1:P2
import { spawn } from "node:child_process";

const [form, program = "", ...rest] = process.argv.slice(2);
/** The mapped form reaches a listener on IPv4: a supervisor of today has no other. */
const host = form === "ipv6" ? "[::ffff:127.0.0.1]" : "localhost";
const args = rest.map((word) => word.replace(/^(--(?:comm|logs)=)127\.0\.0\.1:/, `$1${host}:`));

const child = spawn(program, args, { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`could not start ${program}: ${error.message}`);
  process.exit(70);
});
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code ?? 70);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
