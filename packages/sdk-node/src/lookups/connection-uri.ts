import type { ConnectionFields } from "./connection.ts";
import { type PythonJson, printPythonJson, readPythonJson } from "./python-json.ts";
import { parseQuery, printQuery, quote, unquote } from "./python-quoting.ts";
import { cutAt, readAuthority, splitUrl } from "./python-url.ts";

/** Under this name the whole extra stands in a URI when it is not a map of texts. */
const EXTRA_KEY = "__extra__";

/** What Python's `Connection.get_uri()` gives. */
export function connectionUri(fields: ConnectionFields): string {
  const { type, login, password, port, schema } = fields;
  const [protocol, host] = splitHost(fields);
  const user = `${login === null ? "" : quote(login)}${password === null ? "" : `:${quote(password)}`}`;
  let place = host === null || host === "" ? "" : quote(host);
  if (port !== null && port !== 0) place += `${place === "" && user === "" ? "@" : ""}:${port}`;
  if (schema !== null && schema !== "") place += `/${quote(schema)}`;
  return [
    type === "" ? "//" : `${type.toLowerCase().replaceAll("_", "-")}://`,
    protocol === "" ? "" : `${protocol}://`,
    user === "" ? "" : `${user}@`,
    place,
    query(fields),
  ].join("");
}

/** A host may have a protocol of its own, which stands before the user then. */
function splitHost({ type, host }: ConnectionFields): [protocol: string, host: string | null] {
  if (host === null) return ["", host];
  const [protocol, rest] = cutAt(host, "://");
  return rest === undefined || protocol === type ? ["", host] : [protocol, rest];
}

function query({ extra, schema }: ConnectionFields): string {
  if (extra === null || extra === "") return "";
  const texts = mapOfTexts(extra);
  const pairs: Iterable<readonly [string, string]> =
    texts === undefined || texts.size === 0 ? [[EXTRA_KEY, extra]] : texts;
  return `${schema === null || schema === "" ? "/" : ""}?${printQuery(pairs)}`;
}

function mapOfTexts(extra: string): ReadonlyMap<string, string> | undefined {
  let value: PythonJson;
  try {
    value = readPythonJson(extra);
  } catch {
    return undefined; // Python logs it and goes on without
  }
  if (!(value instanceof Map)) return undefined;
  const isText = Array.from(value.values()).every((item) => typeof item === "string");
  return isText ? (value as ReadonlyMap<string, string>) : undefined;
}

/**
 * What Python's `Connection.from_uri()` makes of a URI.
 *
 * @throws SyntaxError where that raises
 */
export function parseConnectionUri(uri: string, id: string): ConnectionFields {
  const schemes = uri.split("://").length - 1;
  if (schemes > 2) throw new SyntaxError("more than two times ://");
  const hasProtocol = schemes === 2;
  const { scheme } = splitUrl(uri);
  const rest = uri.replaceAll(`${scheme}://`, () => (hasProtocol ? "" : "//"));
  if (hasProtocol && /[@:]/.test(cutAt(rest, "://")[0])) {
    throw new SyntaxError("@ or : before the host's own protocol");
  }
  const parts = splitUrl(rest);
  const { username, password, hostname, port } = readAuthority(parts.netloc);
  const host = readHost(parts.netloc, hostname);
  return {
    id,
    type: normalizeType(scheme),
    host: host !== "" && hasProtocol && parts.scheme !== "" ? `${parts.scheme}://${host}` : host,
    schema: unquote(parts.path.slice(1)),
    login: username === null ? null : unquote(username),
    password: password === null ? null : unquote(password),
    port,
    extra: parts.query === "" ? null : readExtra(parts.query),
  };
}

/** A host that is a path keeps its case. */
function readHost(netloc: string, hostname: string): string {
  const host = unquote(hostname);
  if (!host.includes("/")) return host;
  const place = netloc.slice(netloc.lastIndexOf("@") + 1);
  return unquote(cutAt(place, ":")[0]);
}

function readExtra(queryText: string): string {
  const pairs = parseQuery(queryText);
  return pairs.get(EXTRA_KEY) ?? printPythonJson(pairs);
}

/** The type as Airflow spells it. */
export function normalizeType(type: string): string {
  return type === "postgresql" ? "postgres" : type.replaceAll("-", "_");
}
