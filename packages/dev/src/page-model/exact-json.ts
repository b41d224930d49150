/** JSON as a tree to look at. Numbers keep their digits: `1.0` and 2^63 are shown as they were sent. */
export type JsonNode =
  | { readonly kind: "text"; readonly text: string }
  /** A number, `true`, `false`, `null`, or a value that JSON has not. */
  | { readonly kind: "word"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly JsonNode[] }
  | { readonly kind: "map"; readonly entries: readonly (readonly [string, JsonNode])[] };

const TOKEN = /\s*(?:([[\]{}:,])|("(?:[^"\\]|\\.)*")|([-+.\w]+))/y;
const MAX_DEPTH = 200;

/** Reads JSON text; undefined where it is none (cut short, say) or deeper than 200. */
export function parseExactJson(text: string): JsonNode | undefined {
  const tokens = { text, at: 0 };
  try {
    const node = readNode(tokens, nextToken(tokens), 0);
    return text.slice(tokens.at).trim() === "" ? node : undefined;
  } catch {
    return undefined;
  }
}

interface Tokens {
  readonly text: string;
  at: number;
}

function nextToken(tokens: Tokens): string {
  TOKEN.lastIndex = tokens.at;
  const match = TOKEN.exec(tokens.text);
  if (match === null) throw new SyntaxError(`no JSON at ${tokens.at}`);
  tokens.at = TOKEN.lastIndex;
  return match[1] ?? match[2] ?? match[3] ?? "";
}

function readNode(tokens: Tokens, token: string, depth: number): JsonNode {
  if (depth > MAX_DEPTH) throw new SyntaxError("too deep");
  if (token === "[") return { kind: "list", items: readItems(tokens, depth) };
  if (token === "{") return { kind: "map", entries: readEntries(tokens, depth) };
  if (token.startsWith('"')) return { kind: "text", text: JSON.parse(token) as string };
  if (/^[\]}:,]$/.test(token)) throw new SyntaxError(`unexpected ${token}`);
  return { kind: "word", text: token };
}

function readItems(tokens: Tokens, depth: number): JsonNode[] {
  const items: JsonNode[] = [];
  for (let token = nextToken(tokens); token !== "]"; token = nextToken(tokens)) {
    items.push(readNode(tokens, token === "," ? nextToken(tokens) : token, depth + 1));
  }
  return items;
}

function readEntries(tokens: Tokens, depth: number): [string, JsonNode][] {
  const entries: [string, JsonNode][] = [];
  for (let token = nextToken(tokens); token !== "}"; token = nextToken(tokens)) {
    const key = JSON.parse(token === "," ? nextToken(tokens) : token) as string;
    if (nextToken(tokens) !== ":") throw new SyntaxError("no colon");
    entries.push([key, readNode(tokens, nextToken(tokens), depth + 1)]);
  }
  return entries;
}

/**
 * A value as a tree. What JSON has not comes as `{"$":"int","v":"9007199254740993"}` and is shown as the
 * value with its kind.
 */
export function toJsonNode(value: unknown, depth = 0): JsonNode {
  if (typeof value === "string") return { kind: "text", text: value };
  if (typeof value !== "object" || value === null) return { kind: "word", text: String(value) };
  if (depth > MAX_DEPTH) return { kind: "word", text: "…" };
  if (Array.isArray(value)) {
    return { kind: "list", items: value.map((item) => toJsonNode(item, depth + 1)) };
  }
  const entries = Object.entries(value);
  const special = specialWord(value as Record<string, unknown>);
  if (special !== undefined) return { kind: "word", text: special };
  return {
    kind: "map",
    entries: entries.map(([key, item]) => [key, toJsonNode(item, depth + 1)] as const),
  };
}

function specialWord(value: Record<string, unknown>): string | undefined {
  const kind = value["$"];
  const inner = value["v"];
  if (typeof kind !== "string" || typeof inner !== "string") return undefined;
  return Object.keys(value).length === 2 ? `${inner} (${kind})` : undefined;
}

/** A tree in one line, for a preview; cut after about `limit` characters. */
export function jsonPreview(node: JsonNode, limit = 160): string {
  let text = "";
  const write = (part: JsonNode): void => {
    if (text.length > limit) return;
    if (part.kind === "text") text += JSON.stringify(part.text.slice(0, limit));
    else if (part.kind === "word") text += part.text;
    else {
      text += part.kind === "list" ? "[" : "{";
      const children = part.kind === "list" ? part.items : part.entries;
      for (const [index, child] of children.entries()) {
        if (text.length > limit) break;
        if (index > 0) text += ", ";
        if (isEntry(child)) {
          text += `${child[0]}: `;
          write(child[1]);
        } else write(child);
      }
      text += part.kind === "list" ? "]" : "}";
    }
  };
  write(node);
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

function isEntry(
  child: JsonNode | readonly [string, JsonNode],
): child is readonly [string, JsonNode] {
  return Array.isArray(child);
}
