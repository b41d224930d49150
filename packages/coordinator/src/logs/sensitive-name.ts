/** Parts of a name that make it sensitive: the defaults of Airflow 3.3 and 3.4. */
const PARTS = [
  "access_key",
  "access_token",
  "api_key",
  "apikey",
  "auth_header",
  "authorization",
  "bearer",
  "connection_string",
  "dsn",
  "keyfile_dict",
  "passphrase",
  "passwd",
  "password",
  "private_key",
  "proxies",
  "proxy",
  "secret",
  "service_account",
  "service_key",
  "token",
  "webhook_url",
];

const SENSITIVE = new RegExp(PARTS.join("|"), "i");
const WORD_BORDERS = /([a-z0-9])(?=[A-Z])|([A-Z]+)(?=[A-Z][a-z])/g;
const NO_WORD = /[^\p{L}\p{N}_]+/gu;

/** Names come from a few places in the code, again and again; more than this is no such name. */
const MAX_KNOWN = 1_000;
const known = new Map<string, boolean>();

/**
 * Whether a field, a Variable or a key of an `extra` with this name holds a secret. As in Airflow,
 * `api-key` and `API key` count as `api_key`; as in 3.4, `privateKey` counts as `private_key`.
 */
export function isSensitiveName(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const normal = name.trim().replace(NO_WORD, "_");
  const isSensitive = SENSITIVE.test(normal) || SENSITIVE.test(normal.replace(WORD_BORDERS, "$&_"));
  if (known.size < MAX_KNOWN && name.length < 100) known.set(name, isSensitive);
  return isSensitive;
}
