import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parseAllDocuments,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { BundleError } from "../errors.ts";
import { indexNodes, type NodeIndex, type YamlNode } from "./index-nodes.ts";
import { pythonKey } from "./python-keys.ts";
import { refuseForeignGrammar } from "./refuse-foreign-grammar.ts";
import { buildScalar, type ScalarTag, tagOfPlain } from "./resolve-scalar.ts";
import { type MetadataMap, type MetadataValue, SurrogateText, YamlSet } from "./values.ts";

const PREFIX = "tag:yaml.org,2002:";
const SCALAR_TAGS: readonly string[] = ["null", "bool", "int", "float", "timestamp", "str"];
const SURROGATE_ESCAPE = /^"(?:[^\\]|\\.)*?\\(?:u|U0000)[dD][89a-fA-F]/s;

/**
 * Reads one YAML document as PyYAML's SafeLoader types it. The `yaml` package only finds the
 * structure; every type is decided here.
 *
 * @throws BundleError `bad-metadata` for text that is not one readable YAML document
 */
export function parseYaml(text: string): MetadataValue {
  // All of these are one line feed to YAML 1.1; only the first is to the `yaml` package.
  const source = text.replace(/\r\n|\r|\u0085/g, "\n");
  const root = compose(source);
  if (root === null) return null;
  return new Builder(indexNodes(root)).build(root);
}

function compose(source: string): YamlNode | null {
  let documents: ReturnType<typeof parseAllDocuments>;
  try {
    documents = parseAllDocuments(source, {
      version: "1.1",
      schema: "failsafe",
      merge: false,
      uniqueKeys: false,
      keepSourceTokens: true,
      prettyErrors: false,
      logLevel: "silent",
    });
  } catch (error) {
    if (error instanceof RangeError) throw bad("it is nested too deeply", error);
    throw bad("it is no YAML", error);
  }
  if (documents.length > 1) throw bad("it is more than one YAML document");
  const [document] = documents;
  if (document === undefined) return null;
  // PyYAML lets a comment follow a token without a space.
  const error = document.errors.find(({ message }) => !message.startsWith("Comments must be"));
  if (error !== undefined) throw bad(firstLine(error.message), error);
  refuseForeignGrammar(source);
  return document.contents as YamlNode | null;
}

/** Makes values of nodes; a node that several aliases name is made once. */
class Builder {
  readonly #index: NodeIndex;
  readonly #built = new Map<YamlNode, MetadataValue>();

  constructor(index: NodeIndex) {
    this.#index = index;
  }

  build(given: YamlNode | null): MetadataValue {
    if (given === null) return null;
    const node = this.#index.target(given);
    const known = this.#built.get(node);
    if (known !== undefined) return known;
    const value = this.#make(node);
    this.#built.set(node, value);
    return value;
  }

  #make(node: YamlNode): MetadataValue {
    if (isScalar(node)) return makeScalar(node);
    const tag = shortTag(node.tag);
    if (isMap(node)) {
      if (tag === "set") return new YamlSet([...this.#map(node).keys()]);
      if (tag === undefined || tag === "map") return this.#map(node);
    }
    if (isSeq(node)) {
      if (tag === "omap" || tag === "pairs") return this.#pairs(node);
      if (tag === undefined || tag === "seq") {
        return node.items.map((item) => this.build(item as YamlNode | null));
      }
    }
    throw noReader(node.tag);
  }

  #map(node: YAMLMap): MetadataMap {
    const map = new Map<MetadataValue, MetadataValue>();
    const known = new Map<string, MetadataValue>();
    for (const [keyNode, valueNode] of this.#entries(node)) {
      const key = isValueKey(keyNode) ? "=" : this.build(keyNode);
      const token = pythonKey(key);
      if (token === undefined) throw bad("a list, a map or a set is used as a key");
      const first = known.get(token) ?? key; // Python keeps the first of two equal keys
      if (!known.has(token)) known.set(token, key);
      map.set(first, this.build(valueNode));
    }
    return map;
  }

  /** The entries of a map after its merge keys: merged ones first, so that its own ones win. */
  #entries(node: YAMLMap): readonly (readonly [YamlNode | null, YamlNode | null])[] {
    const own: [YamlNode | null, YamlNode | null][] = [];
    const merged: (readonly [YamlNode | null, YamlNode | null])[] = [];
    for (const { key, value } of node.items as Pair<YamlNode | null, YamlNode | null>[]) {
      if (isMergeKey(key)) merged.push(...this.#merged(value));
      else own.push([key, value]);
    }
    return [...merged, ...own];
  }

  #merged(given: YamlNode | null): readonly (readonly [YamlNode | null, YamlNode | null])[] {
    const node = given === null ? null : this.#index.target(given);
    if (isMap(node)) return this.#entries(node);
    if (!isSeq(node)) throw bad("`<<` wants a map or a list of maps");
    const parts = node.items.map((item) => {
      const part = this.#index.target(item as YamlNode);
      if (!isMap(part)) throw bad("`<<` wants a map or a list of maps");
      return this.#entries(part);
    });
    return parts.reverse().flat();
  }

  #pairs(node: YAMLSeq): MetadataValue {
    return node.items.map((item) => {
      const map = this.#index.target(item as YamlNode);
      if (!isMap(map) || map.items.length !== 1) throw bad("`!!pairs` wants maps of one entry");
      const { key, value } = map.items[0] as Pair<YamlNode | null, YamlNode | null>;
      return [this.build(key), this.build(value)];
    });
  }
}

function makeScalar(node: Scalar): MetadataValue {
  const text = textOf(node);
  const tag = shortTag(node.tag);
  if (tag === undefined) {
    // PyYAML types the text behind a lone `!` even when it is quoted
    if (node.type !== Scalar.PLAIN && node.tag !== "!") return surrogateSafe(node, text);
    const plainTag = tagOfPlain(text);
    if (plainTag === "merge" || plainTag === "value") throw bad(`a lone \`${text}\` is no value`);
    return buildScalar(plainTag, text);
  }
  if (tag === "binary") return makeBinary(text);
  if (tag === "str") return surrogateSafe(node, text);
  if (!SCALAR_TAGS.includes(tag)) throw noReader(node.tag);
  return buildScalar(tag as ScalarTag, text);
}

function surrogateSafe(node: Scalar, text: string): string | SurrogateText {
  if (node.type !== Scalar.QUOTE_DOUBLE) return text;
  return SURROGATE_ESCAPE.test(sourceOf(node)) ? new SurrogateText(text) : text;
}

function makeBinary(text: string): Uint8Array {
  const digits = text.replace(/[^A-Za-z0-9+/=]/g, "");
  if (digits.length % 4 !== 0) throw bad("`!!binary` holds no base64");
  return Uint8Array.from(atob(digits), (character) => character.charCodeAt(0));
}

function textOf(node: Scalar): string {
  const text = typeof node.value === "string" ? node.value : (node.source ?? "");
  // block text that ends with the file, without a line end: the `yaml` package makes one up
  const isBlock = node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED;
  return isBlock && !/\n$/.test(sourceOf(node)) ? text.replace(/\n$/, "") : text;
}

function sourceOf(node: Scalar): string {
  return (node as { srcToken?: { readonly source?: string } }).srcToken?.source ?? "";
}

function isPlainText(node: YamlNode | null, text: string): boolean {
  return isScalar(node) && node.type === Scalar.PLAIN && !node.tag && textOf(node) === text;
}

function isMergeKey(node: YamlNode | null): boolean {
  if (isScalar(node) && node.tag === `${PREFIX}merge`) return true;
  return !isAlias(node) && isPlainText(node, "<<");
}

function isValueKey(node: YamlNode | null): boolean {
  return isPlainText(node, "=");
}

function shortTag(tag: string | undefined): string | undefined {
  if (tag === undefined || tag === "!") return undefined;
  return tag.startsWith(PREFIX) ? tag.slice(PREFIX.length) : `?${tag}`;
}

function noReader(tag: string | undefined): BundleError {
  return bad(`the tag ${tag ?? "?"} is none that a safe YAML reader knows here`);
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function bad(reason: string, cause?: unknown): BundleError {
  return new BundleError("bad-metadata", `The metadata can't be read as YAML: ${reason}.`, {
    cause,
  });
}
