import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { StartError, StartedTask } from "@parlance/coordinator";
import { temporaryFolder } from "@parlance/test-kit";

const parent = temporaryFolder("parlance-launch");

/** Writes files into a new folder; scripts get the execute bit unless `modes` says otherwise. */
export function writeFiles(
  files: { readonly [path: string]: string },
  modes: { readonly [path: string]: string } = {},
): string {
  const folder = mkdtempSync(join(parent, "case-"));
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    chmodSync(file, Number.parseInt(modes[path] ?? "755", 8));
  }
  return folder;
}

/** A runtime in shell: connects nothing, runs its lines. */
export function shell(...lines: string[]): readonly string[] {
  return ["/bin/sh", "-c", lines.join("\n"), "sh"];
}

/** A runtime in Node that connects both channels, then runs `code` (`comm`, `logs` in scope). */
export function connecting(code = ""): readonly string[] {
  const connect = `
    const net = require("node:net");
    const port = (name) => +process.argv.find((arg) => arg.startsWith("--" + name + "=")).split(":")[1];
    const [comm, logs] = ["comm", "logs"].map((name) => net.connect(port(name), "127.0.0.1"));
    for (const socket of [comm, logs]) socket.on("error", () => {}).resume();
    for (const event of ["end", "close"]) comm.on(event, () => process.exit(0));
    setTimeout(() => process.exit(0), 20000).unref();
    ${code}`;
  return [process.execPath, "-e", connect, "--"];
}

/** The same in bash, which starts in a few milliseconds; `script` runs once both are connected. */
export function connectingBash(script = ""): readonly string[] {
  const connect = `
    for arg in "$@"; do
      case $arg in --comm=*) comm=\${arg##*:};; --logs=*) logs=\${arg##*:};; esac
    done
    exec 3<>/dev/tcp/127.0.0.1/$comm 4<>/dev/tcp/127.0.0.1/$logs
    ${script}
    read -r <&3`; // until the link ends
  return ["/bin/bash", "-c", connect, "bash"];
}

/**
 * A command for the script of {@link connectingBash}: waits for something to arrive over comm, the
 * first message, say. One that ended before may not have been seen to connect.
 */
export const UNTIL_TOLD = "head -c1 <&3 >/dev/null";

/** The pids of processes whose command line or environment holds the text. */
export function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        if (/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${name}/stat`, "utf8"))) return false;
        const seen = ["cmdline", "environ"].map((file) => readFileSync(`/proc/${name}/${file}`));
        return seen.some((bytes) => bytes.includes(text));
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Open descriptors of this process that are sockets or pipes. */
export function openSockets(): string[] {
  return readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${name}`);
      return /^(?:socket|pipe):/.test(target) ? [target] : [];
    } catch {
      return [];
    }
  });
}

/** Waits until the condition holds, at most `limitMs`. */
export async function eventually(condition: () => boolean, limitMs = 20_000): Promise<boolean> {
  for (const deadline = Date.now() + limitMs; Date.now() < deadline; await sleep(10)) {
    if (condition()) return true;
  }
  return condition();
}

/** A failed start as its error, a started task as it is. */
export async function outcomeOf(start: Promise<StartedTask>): Promise<StartedTask | StartError> {
  return await start.catch((error: StartError) => error);
}
