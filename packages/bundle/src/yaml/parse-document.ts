import type { MapNode, YamlNode } from "./nodes.ts";
import { tokenize } from "./tokenize.ts";
import type { Token, TokenType } from "./tokens.ts";
import { MAX_LEVELS, tooDeep, yamlError } from "./yaml-error.ts";

const DEFAULT_HANDLES: readonly (readonly [string, string])[] = [
  ["!", "!"],
  ["!!", "tag:yaml.org,2002:"],
];

interface Properties {
  readonly tag: string | undefined;
  readonly anchor: string | undefined;
}

const NONE: Properties = { tag: undefined, anchor: undefined };

/**
 * The nodes of the one document in YAML 1.1 text; undefined for no document.
 *
 * @throws BundleError `bad-metadata` for bad YAML, more than one document, over 100 levels
 */
export function parseDocument(text: string): YamlNode | undefined {
  // one line feed each, to YAML 1.1
  return new Parser(tokenize(text.replace(/\r\n|\r|\u0085/g, "\n"))).document();
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #handles = new Map(DEFAULT_HANDLES);

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  document(): YamlNode | undefined {
    if (this.#is("stream-end")) return undefined;
    let root: YamlNode;
    if (this.#is("directive", "document-start")) {
      this.#directives();
      if (!this.#skip("document-start")) throw yamlError("a directive needs a `---` behind it");
      const isEmpty = this.#is("directive", "document-start", "document-end", "stream-end");
      root = isEmpty ? empty(NONE) : this.#node(1, "block");
    } else {
      root = this.#node(1, "block");
    }
    while (this.#skip("document-end"));
    if (!this.#is("stream-end")) {
      const isNext = this.#is("document-start", "directive");
      throw yamlError(isNext ? "it is more than one document" : "something follows the document");
    }
    return root;
  }

  #directives(): void {
    const seen = new Set<string>();
    for (let token = this.#token; token.type === "directive"; token = this.#token) {
      const [first = "", second = ""] = token.values;
      const name = token.text === "TAG" ? `TAG ${first}` : token.text;
      if (token.values.length > 0 && seen.has(name)) throw yamlError("a directive is there twice");
      seen.add(name);
      if (token.text === "YAML" && !first.startsWith("1.")) throw yamlError(`it is YAML ${first}`);
      if (token.text === "TAG") this.#handles.set(first, second);
      this.#at++;
    }
  }

  /** @param place - `entry` is a block map's key or value, where a list need not be indented */
  #node(level: number, place: "block" | "entry" | "flow"): YamlNode {
    const token = this.#token;
    if (token.type === "alias") {
      this.#at++;
      return { kind: "alias", name: token.text };
    }
    const properties = this.#properties();
    const content = this.#token;
    if (content.type === "scalar") {
      this.#at++;
      const { text, isPlain, hasSurrogateEscape } = content;
      return { kind: "scalar", text, isPlain, hasSurrogateEscape, ...properties };
    }
    const isOpening = place !== "flow" && this.#is("block-list", "block-map");
    const isBareList = place === "entry" && this.#is("block-entry");
    if (isOpening || isBareList || this.#is("flow-list", "flow-map")) {
      if (level > MAX_LEVELS) throw tooDeep();
      return this.#collection(content.type, level, properties);
    }
    if (properties === NONE) throw yamlError(`a value is missing before ${nameOf(content.type)}`);
    return empty(properties);
  }

  #collection(type: TokenType, level: number, properties: Properties): YamlNode {
    if (type === "block-entry") {
      return { kind: "list", items: this.#bareItems(level), ...properties };
    }
    this.#at++;
    switch (type) {
      case "block-list":
        return { kind: "list", items: this.#blockItems(level), ...properties };
      case "block-map":
        return { kind: "map", entries: this.#blockEntries(level), ...properties };
      case "flow-list":
        return { kind: "list", items: this.#flowItems(level), ...properties };
      default:
        return { kind: "map", entries: this.#flowEntries(level), ...properties };
    }
  }

  #properties(): Properties {
    let tag: string | undefined;
    let anchor: string | undefined;
    for (let token = this.#token; ; token = this.#token) {
      if (token.type === "anchor" && anchor === undefined) anchor = token.text;
      else if (token.type === "tag" && tag === undefined) tag = this.#resolve(token);
      else break;
      this.#at++;
    }
    return tag === undefined && anchor === undefined ? NONE : { tag, anchor };
  }

  #resolve({ handle, text }: Extract<Token, { type: "tag" }>): string {
    if (handle === undefined) return text;
    const prefix = this.#handles.get(handle);
    if (prefix === undefined) throw yamlError(`the tag handle ${handle} is not declared`);
    return prefix + text;
  }

  /** A list as deep as the keys around it. */
  #bareItems(level: number): YamlNode[] {
    const items: YamlNode[] = [];
    while (this.#skip("block-entry")) {
      const isEmpty = this.#is("block-entry", "key", "value", "block-end");
      items.push(isEmpty ? empty(NONE) : this.#node(level + 1, "block"));
    }
    return items;
  }

  #blockItems(level: number): YamlNode[] {
    const items: YamlNode[] = [];
    while (this.#skip("block-entry")) {
      const isEmpty = this.#is("block-entry", "block-end");
      items.push(isEmpty ? empty(NONE) : this.#node(level + 1, "block"));
    }
    this.#expect("block-end");
    return items;
  }

  #blockEntries(level: number): MapNode["entries"] {
    const entries: [YamlNode, YamlNode][] = [];
    const part = (): YamlNode =>
      this.#is("key", "value", "block-end") ? empty(NONE) : this.#node(level + 1, "entry");
    while (this.#skip("key")) {
      const key = part();
      entries.push([key, this.#skip("value") ? part() : empty(NONE)]);
    }
    this.#expect("block-end");
    return entries;
  }

  #flowItems(level: number): YamlNode[] {
    const items: YamlNode[] = [];
    while (!this.#skip("flow-list-end")) {
      if (items.length > 0) {
        this.#expect("flow-entry");
        if (this.#skip("flow-list-end")) break;
      }
      if (this.#skip("key")) {
        const pair = this.#flowPair(level + 1, "flow-list-end");
        items.push({ kind: "map", entries: [pair], ...NONE });
      } else {
        items.push(this.#node(level + 1, "flow"));
      }
    }
    return items;
  }

  #flowEntries(level: number): MapNode["entries"] {
    const entries: (readonly [YamlNode, YamlNode])[] = [];
    while (!this.#skip("flow-map-end")) {
      if (entries.length > 0) {
        this.#expect("flow-entry");
        if (this.#skip("flow-map-end")) break;
      }
      if (this.#skip("key")) entries.push(this.#flowPair(level, "flow-map-end"));
      else entries.push([this.#node(level + 1, "flow"), empty(NONE)]);
    }
    return entries;
  }

  #flowPair(level: number, end: TokenType): readonly [YamlNode, YamlNode] {
    const part = (...empties: TokenType[]): YamlNode =>
      this.#is("flow-entry", end, ...empties) ? empty(NONE) : this.#node(level + 1, "flow");
    const key = part("value");
    return [key, this.#skip("value") ? part() : empty(NONE)];
  }

  get #token(): Token {
    return this.#tokens[this.#at] ?? { type: "stream-end" };
  }

  #is(...types: readonly TokenType[]): boolean {
    return types.includes(this.#token.type);
  }

  #skip(type: TokenType): boolean {
    if (this.#token.type !== type) return false;
    this.#at++;
    return true;
  }

  #expect(type: TokenType): void {
    if (this.#skip(type)) return;
    throw yamlError(`${nameOf(type)} is missing before ${nameOf(this.#token.type)}`);
  }
}

function empty(properties: Properties): YamlNode {
  return { kind: "scalar", text: "", isPlain: true, hasSurrogateEscape: false, ...properties };
}

const NAMES: { readonly [Type in TokenType]?: string } = {
  "stream-end": "the end",
  "flow-entry": "a comma",
  "flow-list-end": "a ]",
  "flow-map-end": "a }",
  "block-end": "the end of an indented block",
  "block-entry": "a - of a list",
  value: "a `:`",
};

function nameOf(type: TokenType): string {
  return NAMES[type] ?? `a ${type.replace("-", " ")}`;
}
