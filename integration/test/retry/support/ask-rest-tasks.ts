import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(
  new URL("../../../../packages/test-kit/peers/retry/rest_tasks.py", import.meta.url),
);

/** What the server answered; `text` is the body as it came. */
export interface GenuineAnswer {
  readonly status: number;
  readonly allow: string | null;
  readonly contentType: string | null;
  readonly text: string;
}

/**
 * Lets the real API server answer requests about the Dags of Dag files: one process, some 8 s.
 *
 * @param python - of the peer airflow-3.3.2
 */
export function askRestTasks(
  python: string,
  dags: readonly string[],
  requests: readonly (readonly [method: string, target: string])[],
): Promise<readonly GenuineAnswer[]> {
  return new Promise((resolve, reject) => {
    const options = {
      maxBuffer: 256 * 1024 * 1024,
      timeout: 600_000,
      killSignal: "SIGKILL",
    } as const;
    const child = execFile(python, [SCRIPT], options, (error, stdout, stderr) => {
      if (error !== null) return reject(new Error(`${error.message}\n${stderr.slice(-4000)}`));
      resolve(
        stdout
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as GenuineAnswer),
      );
    });
    child.stdin?.end(JSON.stringify({ dags, requests }));
  });
}
