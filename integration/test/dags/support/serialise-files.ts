import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
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

/** A real Airflow that loads Dag files and serialises their Dags: 4 s for its start. */
export interface Serialiser {
  /** @param source - what is in the file, or its path if it begins with a slash */
  serialise(source: string): Promise<SerialisedFile>;
  close(): void;
}

/** @param python - of a peer */
export function openSerialiser(python: string): Serialiser {
  const folder = temporaryFolder("parlance-emitted-dags");
  const child = spawn(python, [SCRIPT], { stdio: ["pipe", "pipe", "pipe"] });
  const waiting: ((line: string | undefined) => void)[] = [];
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-4_000);
  });
  child.stdin.on("error", () => {}); // told by the missing answer
  createInterface(child.stdout).on("line", (line) => waiting.shift()?.(line));
  child.on("close", () => {
    for (const each of waiting.splice(0)) each(undefined);
  });
  let count = 0;
  return {
    async serialise(source) {
      const path = source.startsWith("/") ? source : join(folder, `dag_${count++}.py`);
      if (path !== source) writeFileSync(path, source);
      const line = await new Promise<string | undefined>((resolve) => {
        waiting.push(resolve);
        if (child.exitCode === null) child.stdin.write(`${path}\n`);
        else resolve(undefined);
      });
      if (line === undefined) throw new Error(`serialize_dags.py ended: ${said}`);
      return JSON.parse(line) as SerialisedFile;
    },
    close: () => child.stdin.end(),
  };
}
