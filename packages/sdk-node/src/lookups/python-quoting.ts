const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Python's `quote(text, safe="")`. @throws URIError for half a surrogate pair */
export function quote(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Python's `unquote`: bytes that are no UTF-8 become U+FFFD, a `%` without digits stays. */
export function unquote(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/[\0-\x7f]+/g, (ascii) => {
    const bytes: number[] = [];
    for (let at = 0; at < ascii.length; at++) {
      const code = /^%([0-9a-f]{2})/i.exec(ascii.slice(at, at + 3))?.[1];
      bytes.push(code === undefined ? ascii.charCodeAt(at) : Number.parseInt(code, 16));
      if (code !== undefined) at += 2;
    }
    return UTF8.decode(Uint8Array.from(bytes));
  });
}

/** Python's `parse_qsl(query, keep_blank_values=True)` as a map: the last of a name counts. */
export function parseQuery(query: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of query.split("&")) {
    if (part === "") continue;
    const at = part.indexOf("=");
    const [name, value] = at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
    found.set(unquote(name.replaceAll("+", " ")), unquote(value.replaceAll("+", " ")));
  }
  return found;
}

/** Python's `urlencode` of texts. */
export function printQuery(pairs: Iterable<readonly [string, string]>): string {
  const plus = (text: string) => quote(text).replaceAll("%20", "+");
  return Array.from(pairs, ([name, value]) => `${plus(name)}=${plus(value)}`).join("&");
}
