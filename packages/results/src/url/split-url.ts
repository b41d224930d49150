/** The parts of `name://user:password@host:port/database?query`, decoded. */
export interface UrlParts {
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly host: string | undefined;
  readonly port: string | undefined;
  /** Not percent-decoded, as SQLAlchemy leaves it. Undefined where there is no slash. */
  readonly database: string | undefined;
  readonly parameters: readonly (readonly [name: string, value: string])[];
  /** The part after `://` with `**` for the password and for secret parameters. */
  readonly masked: string;
}

/** Parameters that hold secrets, in any driver. */
export const SECRET_PARAMETER: RegExp = /pass(word|wd|phrase)?|secret|token|key_?data/i;

/**
 * Splits what follows `://`, by SQLAlchemy 2's rules: a user ends at `:` or `@`, a password at the
 * first `@` (it may hold `/` and `?`, unescaped), an IPv6 host is bracketed, the database begins at
 * the first slash after the host.
 *
 * Returns undefined where the text can't be read.
 */
export function splitUrl(rest: string): UrlParts | undefined {
  const login = splitLogin(rest);
  const [address, queryText] = cut(login.rest, "?");
  const [hostPort, database] = cut(address, "/");
  const host = splitHost(hostPort);
  if (host === undefined) return undefined;
  const parameters = parseQuery(queryText);
  const maskedQuery = queryText === undefined ? "" : `?${maskQuery(queryText)}`;
  return {
    user: login.user === undefined ? undefined : percentDecode(login.user),
    password: login.password === undefined ? undefined : percentDecode(login.password),
    host: host.host,
    port: host.port,
    database,
    parameters,
    masked: `${login.masked}${address}${maskedQuery}`,
  };
}

interface Login {
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly masked: string;
  readonly rest: string;
}

function splitLogin(rest: string): Login {
  const userEnd = rest.search(/[:/@]/);
  if (userEnd >= 0 && rest[userEnd] === "@") {
    const user = rest.slice(0, userEnd);
    return { user, password: undefined, masked: `${user}@`, rest: rest.slice(userEnd + 1) };
  }
  const at = rest.indexOf("@", userEnd);
  if (userEnd >= 0 && rest[userEnd] === ":" && at >= 0) {
    const user = rest.slice(0, userEnd);
    const password = rest.slice(userEnd + 1, at);
    return { user, password, masked: `${user}:**@`, rest: rest.slice(at + 1) };
  }
  return { user: undefined, password: undefined, masked: "", rest };
}

function splitHost(
  text: string,
): { host: string | undefined; port: string | undefined } | undefined {
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(text);
  const plain = bracketed ?? /^([^:]*)(?::(.*))?$/.exec(text);
  if (plain === null) return undefined;
  return { host: plain[1] || undefined, port: plain[2] || undefined };
}

/** As Python's `parse_qsl`: `+` is a space, and a parameter without a value is left out. */
function parseQuery(text: string | undefined): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  for (const part of (text ?? "").split("&")) {
    const [name, value] = cut(part, "=");
    if (value) found.push([formDecode(name), formDecode(value)]);
  }
  return found;
}

function maskQuery(text: string): string {
  return text
    .split("&")
    .map((part) => {
      const [name] = cut(part, "=");
      return SECRET_PARAMETER.test(formDecode(name)) ? `${name}=**` : part;
    })
    .join("&");
}

function formDecode(text: string): string {
  return percentDecode(text.replaceAll("+", " "));
}

/** As Python's `unquote`: bytes that are no UTF-8 become U+FFFD, a `%` without two digits stays. */
function percentDecode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"),
  );
}

function cut(text: string, separator: string): [before: string, after: string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
