import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { GenuineAnswer } from "./compare-retry-answer.ts";

const SCRIPT = fileURLToPath(new URL("../../peers/retry/next_retry.py", import.meta.url));
const MAX_STDERR = 4_000;

/**
 * Answers of the genuine `next_retry_datetime` to vectors, one for each and in their order, from one Python
 * process. That ends with this one, because its stdin does.
 *
 * About half a millisecond a vector, after two seconds of start.
 *
 * @param python - of the peer airflow-3.3.2
 * @param lines - vectors, each one JSON object without a line break
 * @throws Error when the process ends before all are answered, with the end of its stderr
 */
export async function* askGenuineRetry(
  python: string,
  lines: Iterable<string>,
): AsyncGenerator<GenuineAnswer> {
  const child = spawn(python, [SCRIPT, "--stdin"], { stdio: ["pipe", "pipe", "pipe"] });
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  closed.catch(() => {}); // a failed start is told below
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr = (stderr + chunk).slice(-MAX_STDERR);
  });
  child.stdin.on("error", () => {}); // it ended first: told below
  const asked = feed(child.stdin, lines);
  let answered = 0;
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      answered += 1;
      // Whole numbers beyond 2^53 keep their digits.
      const exact = line.replace(/(_us[a-z_]*": )(-?\d{16,})/g, '$1{"$$int": "$2"}');
      yield JSON.parse(exact) as GenuineAnswer;
    }
    const [code, signal] = await closed;
    const total = await asked;
    if (code !== 0 || answered !== total) {
      throw new Error(
        `${answered} of ${total} vectors answered, ended with ${signal ?? code}\n${stderr}`,
      );
    }
  } finally {
    child.kill("SIGKILL");
  }
}

async function feed(stdin: NodeJS.WritableStream, lines: Iterable<string>): Promise<number> {
  let count = 0;
  for (const line of lines) {
    count += 1;
    if (stdin.write(`${line}\n`)) continue;
    await Promise.race([once(stdin, "drain"), once(stdin, "close")]).catch(() => {});
  }
  stdin.end();
  return count;
}
