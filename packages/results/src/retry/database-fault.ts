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

/** As Python's drivers class errors (PEP 249): what users of Celery see in their logs. */
export type PythonErrorName =
  | "OperationalError"
  | "IntegrityError"
  | "DataError"
  | "ProgrammingError"
  | "InterfaceError"
  | "InternalError"
  | "NotSupportedError"
  | "DatabaseError";

/** The facts of a {@link DatabaseFault}. */
export interface FaultFacts {
  readonly kind: FaultKind;
  readonly pythonName: PythonErrorName;
  /** Whether another try may succeed. */
  readonly retryable: boolean;
  /** Whether the connection must not be used again. */
  readonly fatal: boolean;
}

/** A database's error in the same words for every driver. Holds no values of statements, no secrets. */
export class DatabaseFault extends Error {
  readonly kind: FaultKind;
  readonly pythonName: PythonErrorName;
  /** The driver's own: a SQLSTATE (`23505`), `ER_DUP_ENTRY`, `SQLITE_BUSY`, `ECONNREFUSED`. */
  readonly driverCode: string | undefined;
  readonly retryable: boolean;
  readonly fatal: boolean;

  constructor(message: string, facts: FaultFacts, driverCode?: string) {
    super(message);
    this.kind = facts.kind;
    this.pythonName = facts.pythonName;
    this.driverCode = driverCode;
    this.retryable = facts.retryable;
    this.fatal = facts.fatal;
  }
}

Object.defineProperty(DatabaseFault.prototype, "name", { value: "DatabaseFault" });

type FaultName =
  | "connection"
  | "login"
  | "busy"
  | "unique"
  | "integrity"
  | "data"
  | "tooLarge"
  | "schema"
  | "privilege"
  | "readOnly"
  | "programming"
  | "internal"
  | "operational"
  | "damaged";

/** Facts that several drivers share. */
export const FAULTS: { readonly [Name in FaultName]: FaultFacts } = {
  connection: fact("connection", "OperationalError", true, true),
  login: fact("login", "OperationalError", false, true),
  busy: fact("busy", "OperationalError", true),
  unique: fact("unique", "IntegrityError", true),
  integrity: fact("other", "IntegrityError", false),
  data: fact("data", "DataError", false),
  tooLarge: fact("data", "DataError", false, true),
  schema: fact("schema", "ProgrammingError", true),
  privilege: fact("privilege", "ProgrammingError", false),
  /** A server that only reads just now (a standby): another connect may reach the right one. */
  readOnly: fact("privilege", "InternalError", true, true),
  programming: fact("other", "ProgrammingError", false),
  internal: fact("other", "InternalError", true),
  operational: fact("other", "OperationalError", true),
  damaged: fact("other", "DatabaseError", false),
};

function fact(
  kind: FaultKind,
  pythonName: PythonErrorName,
  retryable: boolean,
  fatal = false,
): FaultFacts {
  return { kind, pythonName, retryable, fatal };
}

/** A connection that can't be as safe as it has to be: no encryption there, or no certificate to trust. */
const UNSAFE = /^(ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_|HANDSHAKE_NO_SSL)/;

/** The facts of an error that came from the socket or the driver itself, not from the server. */
export function linkFault(error: unknown): FaultFacts {
  const code = (error as { code?: unknown } | null)?.code;
  const isUnsafe =
    (typeof code === "string" && UNSAFE.test(code)) ||
    messageOf(error).includes("does not support SSL");
  return isUnsafe ? { ...FAULTS.connection, retryable: false } : FAULTS.connection;
}

/** What an error of a driver says, whatever it is. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") {
    // Node tries IPv6 and IPv4; the reasons are inside.
    return error.errors.map(messageOf).join("; ");
  }
  return error instanceof Error ? error.message : String(error);
}
