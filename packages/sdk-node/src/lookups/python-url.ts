/** Parts of a URL as Python's `urlsplit` finds them. */
export interface UrlParts {
  readonly scheme: string;
  readonly netloc: string;
  readonly path: string;
  readonly query: string;
}

/** What stands before the path: user, password, host and port as they are written. */
export interface Authority {
  readonly username: string | null;
  readonly password: string | null;
  /** In lower case, without the brackets of an IPv6 address; "" when there is none. */
  readonly hostname: string;
  readonly port: number | null;
}

/** @throws SyntaxError where Python's raises ValueError */
export function splitUrl(url: string): UrlParts {
  // As browsers do: control characters around it, and line breaks and tabs in it, do not count.
  let rest = url.replace(/^[\0-\x20]+/, "").replace(/[\t\r\n]/g, "");
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(rest)?.[1] ?? "";
  if (scheme !== "") rest = rest.slice(scheme.length + 1);
  let netloc = "";
  if (rest.startsWith("//")) {
    const end = rest.slice(2).search(/[/?#]/);
    netloc = end < 0 ? rest.slice(2) : rest.slice(2, end + 2);
    rest = rest.slice(2 + netloc.length);
    checkNetloc(netloc);
  }
  const withoutFragment = cutAt(rest, "#")[0];
  const [path, query = ""] = cutAt(withoutFragment, "?");
  return { scheme: scheme.toLowerCase(), netloc, path, query };
}

function checkNetloc(netloc: string): void {
  if (netloc.includes("[") !== netloc.includes("]")) throw new SyntaxError("Invalid IPv6 URL");
  if (netloc.includes("[")) checkBrackets(netloc);
  if (/^[\0-\x7f]*$/.test(netloc)) return;
  const letters = netloc.replace(/[@:#?]/g, "");
  const normalized = letters.normalize("NFKC");
  if (normalized !== letters && /[/?#@:]/.test(normalized)) {
    throw new SyntaxError("the host holds characters that become separators");
  }
}

/** Brackets hold an IPv6 address, or one of a later version. */
function checkBrackets(netloc: string): void {
  const address = cutAt(cutAt(netloc, "[")[1] ?? "", "]")[0];
  if (address.startsWith("v")) {
    if (/^v[a-fA-F0-9]+\.[^\n]+$/.test(address)) return;
  } else {
    const [digits, zone] = cutAt(address, "%");
    const hasZone = zone === undefined || (zone !== "" && !zone.includes("%"));
    if (hasZone && /^[0-9a-f:.]+$/i.test(digits) && URL.canParse(`http://[${digits}]/`)) return;
  }
  throw new SyntaxError("what is in brackets is no IPv6 address");
}

/** @throws SyntaxError when the port is none */
export function readAuthority(netloc: string): Authority {
  const at = netloc.lastIndexOf("@");
  const host = netloc.slice(at + 1);
  const [username, password = null] = at < 0 ? [null] : cutAt(netloc.slice(0, at), ":");
  const [before, bracketed] = cutAt(host, "[");
  let [name, port = ""] = cutAt(before, ":");
  if (bracketed !== undefined) {
    const [inside, after = ""] = cutAt(bracketed, "]");
    [name, port] = [inside, cutAt(after, ":")[1] ?? ""];
  }
  return { username, password, hostname: lowerCase(name), port: readPort(port) };
}

/** A zone, after `%`, keeps its case; so does, by the same rule, all after a coded letter. */
function lowerCase(hostname: string): string {
  const at = hostname.indexOf("%");
  return at < 0 ? hostname.toLowerCase() : hostname.slice(0, at).toLowerCase() + hostname.slice(at);
}

function readPort(text: string): number | null {
  if (text === "") return null;
  const port = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw new SyntaxError("the port is no number from 0 to 65535");
}

/** The text before and after the first separator; undefined when there is none. */
export function cutAt(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}
