/** What the Python file can't say, or not quite: where in the Dag, and why. */
export interface Finding {
  /** For example `task load`. */
  readonly where: string;
  readonly message: string;
}

/** Gathers what is found while a Dag is read, so that all of it can be told at once. */
export class Findings {
  /** With one of these nothing is written. */
  readonly faults: Finding[] = [];
  readonly warnings: Finding[] = [];

  refuse(where: string, message: string): void {
    this.faults.push({ where, message });
  }

  warn(where: string, message: string): void {
    this.warnings.push({ where, message });
  }
}

/** The findings about one part of a Dag. */
export class Scope {
  readonly #findings: Findings;
  readonly #where: string;

  constructor(findings: Findings, where: string) {
    this.#findings = findings;
    this.#where = where;
  }

  refuse(message: string): void {
    this.#findings.refuse(this.#where, message);
  }

  warn(message: string): void {
    this.#findings.warn(this.#where, message);
  }
}
