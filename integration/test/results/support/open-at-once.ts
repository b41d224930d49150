import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** What a process of `fixtures/open-and-store.ts` said. */
export interface OpenOutcome {
  readonly id: string;
  readonly warnings: readonly string[];
  readonly error?: string;
}

const FIXTURE = fileURLToPath(new URL("../fixtures/open-and-store.js", import.meta.url));

/** Several processes that open one database at the same moment; each stores a row and a group. */
export async function openAtOnce(url: string, processes: number): Promise<OpenOutcome[]> {
  const started = await Promise.all(
    Array.from({ length: processes }, async (_, at) => {
      const child = spawn(process.execPath, [FIXTURE, url, `p-${at}`], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      await lines.next();
      return { child, lines };
    }),
  );
  for (const { child } of started) child.stdin.end("go\n");
  return Promise.all(
    started.map(async ({ child, lines }) => {
      const ended = once(child, "exit");
      const line = await lines.next();
      await ended;
      return JSON.parse(String(line.value)) as OpenOutcome;
    }),
  );
}
