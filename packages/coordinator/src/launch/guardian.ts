import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";

/**
 * Reads `+ PID MARK` and `- PID MARK`, one a line. Its input ends when the coordinator does; what is
 * on its list then gets 4 s to end by itself, as a runtime should when its link is lost. A group
 * that is gone is taken off at once, because its number may be given out again; on Linux what has
 * left its group is found by its mark.
 */
const SCRIPT = `
trap '' HUP INT TERM
pids=' ' marks=' '
while read -r sign pid mark; do
  case $sign in
    +) pids="$pids$pid " marks="$marks$mark " ;;
    -) pids="\${pids%% $pid *} \${pids#* $pid }" marks="\${marks%% $mark *} \${marks#* $mark }" ;;
  esac
done
[ "$marks" = ' ' ] && exit
for round in 1 2 3 4 5 6 7 8; do
  sleep 0.5
  left=
  for pid in $pids; do kill -s 0 -- "-$pid" 2>/dev/null && left="$left $pid"; done
  pids=$left
done
for pid in $pids; do kill -s KILL -- "-$pid"; done
for round in 1 2 3; do
  for file in /proc/[0-9]*/environ; do
    for mark in $marks; do
      grep -qs "$mark" "$file" && pid=\${file#/proc/} && kill -s KILL "\${pid%/environ}"
    done
  done
done`;

/**
 * A small process (`sh`) beside ours that ends our tasks when we are killed and can't do it any
 * more: SIGKILL, or no memory left. One for all tasks, from the first on; it ends with us. Without
 * `sh`, as on Windows, there is none: then a runtime has to end by itself when its link ends.
 */
class Guardian {
  readonly #watched = new Map<number, string>();
  #helper: ChildProcess | undefined;
  #isAvailable = process.platform !== "win32";

  /** From now on the group that this process leads, and all with its mark, end with us. */
  watch(pid: number, mark: string): void {
    this.#watched.set(pid, mark);
    if (this.#helper !== undefined) this.#tell("+", pid, mark);
    else if (this.#isAvailable) this.#start();
  }

  /** Nothing is left of it. */
  forget(pid: number): void {
    const mark = this.#watched.get(pid);
    if (mark === undefined) return;
    this.#watched.delete(pid);
    this.#tell("-", pid, mark);
  }

  #start(): void {
    const helper = spawn("/bin/sh", ["-c", SCRIPT], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true, // what ends our group shall not end it
      cwd: "/",
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
    });
    this.#helper = helper;
    helper.on("error", () => {
      this.#isAvailable = false;
      this.#helper = undefined;
    });
    helper.on("exit", () => {
      this.#helper = undefined; // somebody has ended it: the next task gets a new one
    });
    helper.stdin?.on("error", () => {});
    helper.unref();
    (helper.stdin as Socket | null)?.unref();
    for (const [pid, mark] of this.#watched) this.#tell("+", pid, mark);
  }

  #tell(sign: "+" | "-", pid: number, mark: string): void {
    const stdin = this.#helper?.stdin;
    if (stdin?.writable === true) stdin.write(`${sign} ${pid} ${mark}\n`);
  }
}

/** The one of this process. */
export const guardian: Guardian = new Guardian();
