import { indexNodes, type NodeIndex } from "../yaml/index-nodes.ts";
import type { ListNode, MapNode, ScalarNode, YamlNode } from "../yaml/nodes.ts";
import { parseDocument } from "../yaml/parse-document.ts";
import { yamlError } from "../yaml/yaml-error.ts";
import { pythonKey } from "./python-keys.ts";
import { buildScalar, type ScalarTag, tagOfPlain } from "./resolve-scalar.ts";
import { type MetadataValue, SurrogateText, YamlSet } from "./values.ts";

const PREFIX = "tag:yaml.org,2002:";
const SCALAR_TAGS: readonly string[] = ["null", "bool", "int", "float", "timestamp", "str"];

type Entries = MapNode["entries"];

/**
 * Reads one YAML document as PyYAML's SafeLoader types it.
 *
 * @throws BundleError `bad-metadata` for text that is not one readable YAML document
 */
export function parseYaml(text: string): MetadataValue {
  const root = parseDocument(text);
  return root === undefined ? null : buildYaml(root);
}

/** {@link parseYaml} for a document that is parsed already. */
export function buildYaml(root: YamlNode): MetadataValue {
  return new Builder(indexNodes(root)).build(root);
}

/**
 * Makes values of nodes; a node that several aliases name is made once. What is in a list or a map
 * is made after what stands beside it, as in PyYAML: of several faults the same one is told.
 */
class Builder {
  readonly #index: NodeIndex;
  readonly #built = new Map<YamlNode, MetadataValue>();
  #fillers: (() => void)[] = [];

  constructor(index: NodeIndex) {
    this.#index = index;
  }

  build(root: YamlNode): MetadataValue {
    const value = this.#make(root);
    while (this.#fillers.length > 0) {
      const fillers = this.#fillers;
      this.#fillers = [];
      for (const fill of fillers) fill();
    }
    return value;
  }

  /** A scalar's value; of anything else an empty one, to be filled later. */
  #make(given: YamlNode): MetadataValue {
    const node = this.#index.target(given);
    if (node.kind === "scalar") return makeScalar(node);
    const known = this.#built.get(node);
    if (known !== undefined) return known;
    const value = node.kind === "list" ? this.#list(node) : this.#mapOrSet(node);
    if (node.anchor !== undefined) this.#built.set(node, value);
    return value;
  }

  #list(node: ListNode): MetadataValue {
    const tag = shortTag(node.tag) ?? "seq";
    const isPairs = tag === "omap" || tag === "pairs";
    if (tag !== "seq" && !isPairs) throw noReader(node.tag);
    const list: MetadataValue[] = [];
    this.#fillers.push(() => {
      for (const item of node.items) list.push(isPairs ? this.#pair(item) : this.#make(item));
    });
    return list;
  }

  #mapOrSet(node: MapNode): MetadataValue {
    const tag = shortTag(node.tag) ?? "map";
    if (tag !== "map" && tag !== "set") throw noReader(node.tag);
    const map = new Map<MetadataValue, MetadataValue>();
    const items: MetadataValue[] = [];
    this.#fillers.push(() => {
      this.#fill(map, node);
      items.push(...map.keys());
    });
    return tag === "map" ? map : new YamlSet(items);
  }

  #fill(map: Map<MetadataValue, MetadataValue>, node: MapNode): void {
    const known = new Map<string, MetadataValue>();
    for (const [keyNode, valueNode] of this.#entries(node)) {
      // a lone `=` is a text as a key, and no value anywhere else
      const key = isPlainText(keyNode, "=") ? "=" : this.#make(keyNode);
      const token = pythonKey(key);
      if (token === undefined) throw yamlError("a list, a map or a set is used as a key");
      const first = known.has(token) ? (known.get(token) as MetadataValue) : key;
      known.set(token, first); // Python keeps the first of two equal keys, and the last value
      map.set(first, this.#make(valueNode));
    }
  }

  /** The entries of a map after its merge keys: merged ones first, so that its own ones win. */
  #entries(node: MapNode): Entries {
    const own: (readonly [YamlNode, YamlNode])[] = [];
    const merged: (readonly [YamlNode, YamlNode])[] = [];
    for (const entry of node.entries) {
      if (isMergeKey(entry[0])) merged.push(...this.#merged(entry[1]));
      else own.push(entry);
    }
    return [...merged, ...own];
  }

  #merged(given: YamlNode): Entries {
    const node = this.#index.target(given);
    if (node.kind === "map") return this.#entries(node);
    if (node.kind !== "list") throw yamlError("`<<` wants a map or a list of maps");
    const parts = node.items.map((item) => {
      const part = this.#index.target(item);
      if (part.kind !== "map") throw yamlError("`<<` wants a map or a list of maps");
      return this.#entries(part);
    });
    return parts.reverse().flat(); // the first of the list wins, as the YAML type says
  }

  #pair(item: YamlNode): MetadataValue {
    const map = this.#index.target(item);
    const [entry, ...more] = map.kind === "map" ? map.entries : [];
    if (entry === undefined || more.length > 0) {
      throw yamlError("`!!pairs` and `!!omap` want maps of one entry");
    }
    return [this.#make(entry[0]), this.#make(entry[1])];
  }
}

function makeScalar(node: ScalarNode): MetadataValue {
  const { text } = node;
  const tag = shortTag(node.tag);
  if (tag === undefined) {
    // PyYAML types the text behind a lone `!` even when it is quoted
    if (!node.isPlain && node.tag !== "!") return textValue(node);
    const plainTag = tagOfPlain(text);
    if (plainTag === "merge" || plainTag === "value") {
      throw yamlError(`a lone \`${text}\` is no value`);
    }
    return buildScalar(plainTag, text);
  }
  if (tag === "binary") return makeBinary(text);
  if (tag === "str") return textValue(node);
  if (!SCALAR_TAGS.includes(tag)) throw noReader(node.tag);
  return buildScalar(tag as ScalarTag, text);
}

function textValue({ text, hasSurrogateEscape }: ScalarNode): string | SurrogateText {
  return hasSurrogateEscape ? new SurrogateText(text) : text;
}

/** Base64 as Python reads it: enough padding ends it, what is too little and other ASCII characters are passed over. */
function makeBinary(text: string): Uint8Array {
  if (!/^[\0-\x7f]*$/.test(text)) throw yamlError("`!!binary` holds no base64");
  let digits = "";
  let pads = 0;
  for (const character of text) {
    const place = digits.length % 4;
    if (character === "=") {
      if (place < 2) continue;
      pads += 1;
      if (place + pads >= 4) return decodeBase64(digits);
    } else if (/[A-Za-z0-9+/]/.test(character)) {
      pads = 0;
      digits += character;
    }
  }
  if (digits.length % 4 !== 0) throw yamlError("`!!binary` holds no base64");
  return decodeBase64(digits);
}

function decodeBase64(digits: string): Uint8Array {
  return Uint8Array.from(atob(digits), (character) => character.charCodeAt(0));
}

function isPlainText(node: YamlNode, text: string): boolean {
  return node.kind === "scalar" && node.isPlain && node.tag === undefined && node.text === text;
}

function isMergeKey(node: YamlNode): boolean {
  return isPlainText(node, "<<") || (node.kind === "scalar" && node.tag === `${PREFIX}merge`);
}

function shortTag(tag: string | undefined): string | undefined {
  if (tag === undefined || tag === "!") return undefined;
  return tag.startsWith(PREFIX) ? tag.slice(PREFIX.length) : `?${tag}`;
}

function noReader(tag: string | undefined): Error {
  return yamlError(`the tag ${tag ?? "?"} is none that a safe YAML reader knows here`);
}
