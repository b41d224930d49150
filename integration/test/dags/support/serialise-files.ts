import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@parlance/test-kit";

const SCRIPT = fileURLToPath(
  new URL("../../../../packages/test-kit/peers/airflow/serialize_dags.py", import.meta.url),
);

/** A serialised Dag, or anything within one. */
export type Json = { readonly [key: string]: unknown };

/** What the real Airflow makes of a Dag file. */
export interface SerialisedFile {
  readonly dags?: { readonly [dagId: string]: { readonly dag: Json } };
  readonly error?: string;
}

/**
 * Lets the real Airflow load Dag files and serialise their Dags: one process for all, 4 s for its start.
 *
 * @param python - of a peer
 * @param sources - what is in each file
 */
export async function serialiseFiles(
  python: string,
  sources: readonly string[],
): Promise<readonly SerialisedFile[]> {
  const folder = temporaryFolder("parlance-emitted-dags");
  mkdirSync(folder, { recursive: true });
  const paths = sources.map((source, at) => {
    const path = join(folder, `dag_${at}.py`);
    writeFileSync(path, source);
    return path;
  });
  const stdout = await new Promise<string>((resolve, reject) => {
    const options = { maxBuffer: 2 ** 30, timeout: 1_200_000, killSignal: "SIGKILL" } as const;
    const child = execFile(python, [SCRIPT], options, (error, out, stderr) => {
      if (error === null) resolve(out);
      else reject(new Error(`${error.message}\n${stderr.slice(-4_000)}`));
    });
    child.stdin?.end(paths.map((path) => `${path}\n`).join(""));
  });
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as SerialisedFile);
}
