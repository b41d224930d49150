import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { CommandIo } from "../io.ts";
import { PYTHON_FLAGS } from "./find-python.ts";

/** What a script answered; without an answer, how it ended. */
export interface PythonAnswer<Answer> {
  readonly answer?: Answer;
  readonly end: string;
}

/**
 * Asks one of this package's Python scripts one question: a JSON document to its stdin, one from
 * its stdout.
 *
 * @param python - see `findPython`
 * @param script - name of its folder in `python/`
 * @throws Error when it cannot be started, or is interrupted
 */
export async function askPython<Answer>(
  python: string,
  script: string,
  question: unknown,
  io: CommandIo,
): Promise<PythonAnswer<Answer>> {
  const folder = fileURLToPath(new URL(`../../python/${script}`, import.meta.url));
  const child = spawn(python, [...PYTHON_FLAGS, folder], {
    env: io.env,
    cwd: io.cwd,
    signal: io.signal,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on("error", () => {}); // it may end without reading: its end says why
  child.stdin.end(JSON.stringify(question));
  const end = await new Promise<string>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(code === 0 ? "" : `ended with ${signal ?? code}`));
  });
  if (end === "") {
    return { answer: JSON.parse(Buffer.concat(stdout).toString("utf8")) as Answer, end };
  }
  const lastWords = Buffer.concat(stderr).toString("utf8").trim().split("\n").at(-1);
  return { end: lastWords === "" ? end : `${end}: ${lastWords}` };
}
