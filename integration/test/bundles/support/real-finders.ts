import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@parlance/test-kit";

/** The script, for those who run it in their own way. */
export const FINDERS_SCRIPT: string = fileURLToPath(
  new URL("../../../test/bundles/support/real_finders.py", import.meta.url),
);

/** Of 3.3 there is the first only. */
export type FinderName = "executable" | "node";

/** What a finder takes for a Dag. */
export interface Finding {
  readonly path?: string;
  readonly schemaVersion?: string;
  readonly refused?: string;
  /** An exception that the finder does not expect: the search is over. */
  readonly escaped?: string;
}

/** A Python with a stock Airflow whose finders are asked, one question at a time. */
export class RealFinders {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(python: string) {
    this.#child = spawn(python, [FINDERS_SCRIPT], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, AIRFLOW_HOME: temporaryFolder("parlance-finders") },
    });
    this.#child.stdin?.on("error", () => {}); // the missing answer tells
    const output = this.#child.stdout;
    if (output === null) throw new Error("no pipe to the finders");
    this.#lines = createInterface({ input: output })[Symbol.asyncIterator]();
  }

  async find(finder: FinderName, roots: readonly string[], dagId: string): Promise<Finding> {
    this.#child.stdin?.write(`${JSON.stringify({ finder, roots, dagId })}\n`);
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error("the process with the real finders ended");
    return JSON.parse(value) as Finding;
  }

  end(): void {
    this.#child.stdin?.end();
  }
}
