/** Names that a child gets from its parent by default (design: an allow-list). */
const ALLOWED = /^(?:PATH|HOME|USER|LANG|LC_.*|TZ|TMPDIR|NODE_.*|AIRFLOW_VAR_.*|AIRFLOW_CONN_.*)$/;

/** What a Windows process can't do without; names are compared in upper case there. */
const ALLOWED_ON_WINDOWS =
  /^(?:SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|TEMP|TMP|USERPROFILE)$/;

const LOGGING_LEVEL = "AIRFLOW__LOGGING__LOGGING_LEVEL";
const NAMESPACE_LEVELS = "AIRFLOW__LOGGING__NAMESPACE_LEVELS";

/** @see buildChildEnvironment */
export interface ChildEnvironmentOptions {
  /** Hand on the whole environment, as stock Airflow does, secrets included. Default false. */
  readonly inheritEnv?: boolean;
  /** Variables to add or replace; undefined removes one. */
  readonly env?: { readonly [name: string]: string | undefined };
  /** AIRFLOW__LOGGING__LOGGING_LEVEL; by default the one in `env` or `parent`, else `INFO`. */
  readonly logLevel?: string;
  /** AIRFLOW__LOGGING__NAMESPACE_LEVELS; by default the one in `env` or `parent`, else empty. */
  readonly namespaceLevels?: string;
  /** The environment to take from; `process.env` by default. */
  readonly parent?: { readonly [name: string]: string | undefined };
}

/**
 * Builds the complete environment of a runtime.
 *
 * Stock Airflow hands on everything, so that a task can read the database address and the signing
 * key of its worker; here only these names pass: PATH, HOME, USER, LANG, LC_*, TZ, TMPDIR, NODE_*,
 * AIRFLOW_VAR_*, AIRFLOW_CONN_* and the two logging variables, which are always set.
 */
export function buildChildEnvironment(options: ChildEnvironmentOptions = {}): {
  [name: string]: string;
} {
  const parent = options.parent ?? process.env;
  const merged = new Map<string, string | undefined>();
  for (const [name, value] of Object.entries(parent)) {
    if (options.inheritEnv === true || isAllowed(name)) merged.set(name, value);
  }
  merged.set(LOGGING_LEVEL, parent[LOGGING_LEVEL] ?? "INFO");
  merged.set(NAMESPACE_LEVELS, parent[NAMESPACE_LEVELS] ?? "");
  for (const [name, value] of Object.entries(options.env ?? {})) merged.set(name, value);
  if (options.logLevel !== undefined) merged.set(LOGGING_LEVEL, options.logLevel);
  if (options.namespaceLevels !== undefined) merged.set(NAMESPACE_LEVELS, options.namespaceLevels);
  const set = [...merged].filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(set); // also `__proto__` becomes a name like others
}

function isAllowed(name: string): boolean {
  if (ALLOWED.test(name)) return true;
  if (process.platform !== "win32") return false;
  const upper = name.toUpperCase();
  return ALLOWED.test(upper) || ALLOWED_ON_WINDOWS.test(upper);
}
