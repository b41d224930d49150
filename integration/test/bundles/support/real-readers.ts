import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@parlance/test-kit";
import type { Neutral } from "./neutral-metadata.ts";

const SCRIPT = fileURLToPath(
  new URL("../../../test/bundles/support/read_bundles.py", import.meta.url),
);

/** Which of Airflow's readers is asked; `node` is of 3.4 only. */
export type ReaderName = "executable" | "node";

/** A file, and the Dag that is looked for in it. */
export interface AskedFile {
  readonly path: string;
  readonly dagId: string;
}

/** What a reader made of a file: theirs and ours in one form. */
export interface Reading {
  /** `ok`, a code of ours, or `escaped`: an exception that ends Airflow's whole search. */
  readonly verdict: string;
  /** Executable: source and metadata, start and length. Node: start and end of every section. */
  readonly offsets: readonly number[] | null;
  readonly metadata: Neutral | null;
  readonly dagIds: readonly Neutral[];
  readonly schemaVersion: string | null;
  /** What the search gives for this file alone. */
  readonly found: string | null | { readonly escaped: string };
  /** The name of the exception, where it escaped. */
  readonly why?: string;
}

/** A Python with a stock Airflow that reads files; ends with this process, or by `end`. */
export class RealReaders {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(python: string) {
    this.#child = spawn(python, [SCRIPT], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, AIRFLOW_HOME: temporaryFolder("parlance-airflow") },
    });
    this.#child.stdin?.on("error", () => {}); // reading tells
    const output = this.#child.stdout;
    if (output === null) throw new Error("no pipe to the readers");
    this.#lines = createInterface({ input: output })[Symbol.asyncIterator]();
  }

  /** One question at a time. */
  async read(reader: ReaderName, files: readonly AskedFile[]): Promise<readonly Reading[]> {
    this.#child.stdin?.write(`${JSON.stringify({ reader, files })}\n`);
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error("the process with the real readers ended");
    return JSON.parse(value) as readonly Reading[];
  }

  end(): void {
    this.#child.stdin?.end();
  }
}
