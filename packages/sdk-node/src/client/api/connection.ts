/** An Airflow Connection. Password and extra are masked in the task's log from now on. */
export interface Connection {
  readonly id: string;
  /** For example `postgres` or `http`. */
  readonly type: string;
  readonly host: string | null;
  readonly schema: string | null;
  readonly login: string | null;
  readonly password: string | null;
  readonly port: number | null;
  /** As stored: usually JSON, see {@link extraJson}. */
  readonly extra: string | null;
  /** `extra` read as JSON; null when it is empty. @throws SyntaxError when it is no JSON */
  extraJson(): unknown;
  /** The Connection as one URI, equal to that of Python's `get_uri()`; it holds the password. */
  toUri(): string;
}
