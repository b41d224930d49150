import type { CaseVerdict } from "@parlance/conformance";
import type { CommandIo } from "../io.ts";

/** How far a run is: one line that is written over on a terminal, a line for each failure elsewhere. */
export class ProgressLine {
  readonly #stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  #failed = 0;
  #isShown = false;

  constructor(io: CommandIo) {
    this.#stderr = io.stderr;
  }

  show({ case: { id }, version, outcome }: CaseVerdict, done: number, all: number): void {
    if (outcome === "failed") this.#failed += 1;
    if (this.#stderr.isTTY === true) {
      const failed = this.#failed === 0 ? "" : `, ${this.#failed} failed`;
      this.#stderr.write(`\r\u001b[K${done} of ${all}${failed}  ${id}`);
      this.#isShown = true;
    } else if (outcome === "failed") this.#stderr.write(`failed: ${id} (${version})\n`);
  }

  clear(): void {
    if (this.#isShown) this.#stderr.write("\r\u001b[K");
  }
}
