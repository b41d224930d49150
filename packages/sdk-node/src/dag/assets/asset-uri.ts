/** Schemes that Python writes with `//` even where no host follows. */
const WITH_SLASHES = new Set(
  "ftp http gopher nntp telnet imap wais file mms https shttp snews prospero rtsp rtspu rsync svn svn+ssh sftp nfs git git+ssh ws wss".split(
    " ",
  ),
);

/**
 * The URI that Airflow makes of the one that an asset is given: the scheme in small letters, no slash at
 * the end, the query in order, no fragment, and no user where there is a password. What is no URI stays
 * as it is, and so does one of a scheme that begins with `x-`.
 *
 * What the provider of a scheme adds in Airflow (a port, for example) is not known here.
 */
export function normaliseAssetUri(uri: string): string {
  // As Python's urlsplit: blanks and control characters before it, tabs and ends of lines in it are dropped.
  const clean = uri.replace(/^[\0- ]+/, "").replace(/[\t\r\n]/g, "");
  const [, scheme, rest] = /^([a-zA-Z][a-zA-Z0-9+.-]*):(.*)$/su.exec(clean) ?? [];
  if (scheme === undefined || rest === undefined || /^x-/i.test(scheme)) return uri;
  const [beforeFragment = ""] = rest.split("#", 1);
  const [beforeQuery = ""] = beforeFragment.split("?", 1);
  const query = beforeFragment.slice(beforeQuery.length + 1);
  const [, host = "", path = ""] = /^(?:\/\/([^/]*))?(.*)$/su.exec(beforeQuery) ?? [];
  return unsplit(scheme.toLowerCase(), withoutPassword(host), trimmed(path), sortedQuery(query));
}

function withoutPassword(host: string): string {
  const user = host.lastIndexOf("@");
  // Python takes an empty password for none.
  const hasPassword = /:./su.test(host.slice(0, Math.max(user, 0)));
  return hasPassword ? host.slice(user + 1) : host;
}

function trimmed(path: string): string {
  const kept = path.replace(/\/+$/, "");
  return kept === "" ? "/" : kept;
}

function unsplit(scheme: string, host: string, path: string, query: string): string {
  const needsSlashes = host !== "" || (WITH_SLASHES.has(scheme) && !path.startsWith("//"));
  const absolute = path.startsWith("/") ? path : `/${path}`;
  const place = needsSlashes ? `//${host}${absolute}` : path;
  return `${scheme}:${place}${query === "" ? "" : `?${query}`}`;
}

/** Pairs with a value, in order of code points, written as Python writes forms. */
function sortedQuery(query: string): string {
  const pairs = query.split("&").flatMap((pair) => {
    const [name = ""] = pair.split("=", 1);
    const value = pair.slice(name.length + 1);
    return value === "" ? [] : [[decode(name), decode(value)] as const];
  });
  pairs.sort(([name, value], [other, its]) => compare(name, other) || compare(value, its));
  return pairs.map((pair) => pair.map(encode).join("=")).join("&");
}

function decode(text: string): string {
  const bytes = Buffer.from(text.replaceAll("+", " "));
  const out: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const hex = bytes[at] === 0x25 ? bytes.toString("latin1", at + 1, at + 3) : "";
    if (/^[0-9a-f]{2}$/i.test(hex)) {
      out.push(Number.parseInt(hex, 16));
      at += 2;
    } else {
      out.push(bytes[at] as number);
    }
  }
  return Buffer.from(out).toString();
}

function encode(text: string): string {
  const escaped = encodeURIComponent(text);
  return escaped
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");
}

function compare(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
