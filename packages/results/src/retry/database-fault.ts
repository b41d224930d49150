/**
 * What kind of failure it is. `connection`: the link was lost or refused; `busy`: locks, deadlocks,
 * serialization; `unique`: a row with this key exists; `data`: a value the column can't hold;
 * `schema`: a table, column or sequence that is not there; `privilege`: not allowed; `login`:
 * user, password or database refused; `other`.
 */
export type FaultKind =
  | "connection"
  | "busy"
  | "unique"
  | "data"
  | "schema"
  | "privilege"
  | "login"
  | "other";

/** A database's error in the same words for every driver. Holds no values of statements, no secrets. */
export class DatabaseFault extends Error {
  readonly kind: FaultKind;
  /** As Python's drivers class it: `OperationalError`, `IntegrityError`, `DataError`, `ProgrammingError`, … */
  readonly pythonName: string;
  /** The driver's own: a SQLSTATE (`23505`), `ER_DUP_ENTRY`, `SQLITE_BUSY`, `ECONNREFUSED`. */
  readonly driverCode: string | undefined;
  /** Whether another try may succeed. */
  readonly retryable: boolean;
  /** Whether the connection must not be used again. */
  readonly fatal: boolean;

  constructor(
    message: string,
    facts: {
      readonly kind: FaultKind;
      readonly pythonName: string;
      readonly driverCode?: string | undefined;
      readonly retryable: boolean;
      readonly fatal: boolean;
    },
  ) {
    super(message);
    this.kind = facts.kind;
    this.pythonName = facts.pythonName;
    this.driverCode = facts.driverCode;
    this.retryable = facts.retryable;
    this.fatal = facts.fatal;
  }
}

Object.defineProperty(DatabaseFault.prototype, "name", { value: "DatabaseFault" });
