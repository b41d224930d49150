import type { ValidationIssue } from "@parlance/protocol/validate";

/** A body that can't be rewritten. Its message repeats no value. */
export class MigrationError extends Error {
  readonly issues: readonly ValidationIssue[];

  constructor(message: string, issues: readonly ValidationIssue[]) {
    super(message);
    this.issues = issues;
  }
}

Object.defineProperty(MigrationError.prototype, "name", { value: "MigrationError" });
