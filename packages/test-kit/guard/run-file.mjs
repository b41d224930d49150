import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";

const live = new Set(); // pids of the running process groups

/** Runs one test file in a process group of its own; a missed deadline ends the whole group. */
export function runFile(node, file, deadlineMs) {
  return new Promise((resolve) => {
    const child = spawn(node, ["--enable-source-maps", file], {
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    live.add(child.pid);
    const chunks = [];
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      killGroup(child.pid);
    }, deadlineMs);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => chunks.push(text));
    }
    child.on("error", (error) => chunks.push(`could not start ${node}: ${error.message}\n`));
    child.on("close", (code) => {
      clearTimeout(timer);
      if (child.pid !== undefined) killGroup(child.pid); // what the file left running
      live.delete(child.pid);
      resolve({ output: stripVTControlCharacters(chunks.join("")), code, late });
    });
  });
}

/** Ends every running test file's group, for a guard that is itself being ended. */
export function killAll() {
  for (const pid of live) killGroup(pid);
}

function killGroup(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error; // already gone
  }
}
