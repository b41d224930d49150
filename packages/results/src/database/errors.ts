import { ResultsError, type ResultsErrorCode } from "../errors.ts";
import type { DatabaseFault } from "../retry/database-fault.ts";
import type { AttemptsFailed } from "../retry/with-retries.ts";
import type { SchemaFacts } from "../schema/tables.ts";
import type { ResultsUrl } from "../url/results-url.ts";

/** The set-up was tried in vain. */
export function setUpError(url: ResultsUrl, { fault, attempts }: AttemptsFailed): ResultsError {
  const isUnreachable =
    fault.kind === "connection" || fault.kind === "login" || fault.kind === "busy";
  const message = isUnreachable
    ? `The results database ${url} can't be reached: ${describe(fault)}${tried(attempts)}.`
    : `The tables of the results database ${url} can't be read or made: ` +
      `${describe(fault)}${tried(attempts)}.${mendOf(fault)}`;
  return new ResultsError(isUnreachable ? "database-unreachable" : "set-up-failed", message, {
    cause: fault,
    facts: { operation: "set-up", attempts },
  });
}

function mendOf({ kind, driverCode }: DatabaseFault): string {
  if (driverCode === "3F000") return " Make the schema first: only tables are made here.";
  if (kind !== "privilege") return "";
  return " Give the user the right to, or let somebody make them who has it: migrate with print shows the statements.";
}

const CODES = new Map<string, ResultsErrorCode>([
  ["store", "store-failed"],
  ["get", "get-failed"],
]);

/** An operation was tried in vain. */
export function operationError(
  url: ResultsUrl,
  operation: string,
  id: string | undefined,
  { fault, attempts }: AttemptsFailed,
  tables: SchemaFacts | undefined,
): ResultsError {
  const of = id === undefined ? "" : ` of ${id}`;
  const what = `The operation ${operation}${of} on the results database ${url} failed`;
  const facts = { operation, attempts, ...(id === undefined ? {} : { id }) };
  if (
    fault.kind === "schema" &&
    tables !== undefined &&
    !(tables.task.exists && tables.group.exists)
  ) {
    const message =
      `${what}: its tables are missing, and this store was told not to make them. ` +
      "Make them with migrate, or open the store without createTables: never.";
    return new ResultsError("tables-missing", message, { cause: fault, facts });
  }
  const code = CODES.get(operation) ?? "operation-failed";
  return new ResultsError(code, `${what}: ${describe(fault)}${tried(attempts)}.`, {
    cause: fault,
    facts,
  });
}

function describe({ pythonName, driverCode, message }: DatabaseFault): string {
  const code = driverCode === undefined ? "" : ` ${driverCode}`;
  return `${pythonName}${code}: ${message.replace(/\.$/, "")}`;
}

function tried(attempts: number): string {
  return attempts === 1 ? "" : ` (tried ${attempts} times)`;
}
