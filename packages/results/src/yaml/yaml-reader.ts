import type { Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { type Alias, isAlias, isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { ValueOptions } from "../serializers/value-options.ts";
import { decodeBase64 } from "../values/base64.ts";
import { DictBuilder } from "../values/dict-builder.ts";
import { isPythonInt, PythonFloat } from "../values/python-float.ts";
import { SharedValues } from "../values/shared-values.ts";
import { kindOfPlain, readBool, readFloat, readInt, readTimestamp } from "./resolve-plain.ts";

type Collection = YAMLMap | YAMLSeq;
type Node = Scalar | Collection;
type Key = Node | Alias | null;

const PREFIX = "tag:yaml.org,2002:";
/** Deeper than PyYAML writes (about 330 levels) and reads (about 480). */
const MOST_LEVELS = 500;
const UNREADABLE = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/**
 * Reads one document as PyYAML's `safe_load` does. The `yaml` package only finds the nodes (its
 * failsafe schema takes every scalar for text); types, keys, merges and aliases follow PyYAML here.
 *
 * @throws RangeError for text that is not one readable document
 */
export function readYaml(text: string, options: ValueOptions): unknown {
  const strange = UNREADABLE.exec(text);
  if (strange !== null) throw new RangeError(`character ${strange.index} may not stand in YAML`);
  const document = parseDocument(text, {
    version: "1.1",
    schema: "failsafe",
    merge: false,
    prettyErrors: false,
    resolveKnownTags: false,
    strict: true,
    uniqueKeys: false,
  });
  const [error] = document.errors;
  if (error !== undefined) throw new RangeError(error.message);
  return new Builder(text.length, options).build(document.contents as Key, 0);
}

class Builder {
  readonly #options: ValueOptions;
  readonly #shared: SharedValues;
  readonly #anchors = new Map<string, Node>();

  constructor(inputSize: number, options: ValueOptions) {
    this.#options = options;
    this.#shared = new SharedValues(inputSize);
  }

  build(given: Key | undefined, level: number): unknown {
    const node = this.#target(given);
    if (node === null) return null;
    if (isScalar(node)) return this.#scalar(node);
    if (level >= MOST_LEVELS)
      throw new RangeError(`it is nested deeper than ${MOST_LEVELS} levels`);
    return this.#shared.once(node, level, () => this.#collection(node, level + 1));
  }

  /** Nodes are met in the order of the text, so an alias finds the last anchor before it. */
  #target(given: Key | undefined): Node | null {
    if (given === null || given === undefined) return null;
    if (isAlias(given)) {
      const node = this.#anchors.get(given.source);
      if (node === undefined) throw new RangeError(`the alias ${given.source} has no anchor`);
      return node;
    }
    if (given.anchor !== undefined) this.#anchors.set(given.anchor, given);
    return given;
  }

  #collection(node: Collection, level: number): unknown {
    const tag = shortTag(node.tag);
    this.#shared.count(node.items.length);
    if (isSeq(node)) {
      if (tag !== undefined && tag !== "seq") throw noReader(node.tag);
      return node.items.map((item) => this.build(item as Key, level));
    }
    const dict = new DictBuilder(this.#options);
    for (const [key, value] of this.#entries(node, level)) dict.set(key, value);
    if (tag === undefined || tag === "map") return dict.finish();
    if (tag !== "set") throw noReader(node.tag);
    const made = dict.finish();
    return new Set(made instanceof Map ? made.keys() : Object.keys(made));
  }

  /** What is merged by `<<` comes first, so that the map's own entries win. */
  #entries(node: YAMLMap, level: number): [unknown, unknown][] {
    const own: [unknown, unknown][] = [];
    const merged: [unknown, unknown][] = [];
    for (const { key, value } of node.items as Pair<Key, Key>[]) {
      if (isPlain(key, "<<")) merged.push(...this.#merged(value, level));
      else own.push([this.#key(key, level), this.build(value, level)]);
    }
    return merged.length === 0 ? own : [...merged, ...own];
  }

  #merged(given: Key, level: number): [unknown, unknown][] {
    const node = this.#target(given);
    const parts = isSeq(node) ? node.items.map((item) => this.#target(item as Key)) : [node];
    const entries: [unknown, unknown][] = [];
    // of a list the first map wins
    for (const part of parts.reverse()) {
      if (!isMap(part)) throw new RangeError("`<<` stands before what is no map");
      const built = this.#shared.once(part, level, () => this.#collection(part, level + 1));
      const pairs = built instanceof Map ? [...built] : Object.entries(built as object);
      this.#shared.count(pairs.length);
      entries.push(...pairs);
    }
    return entries;
  }

  #key(given: Key, level: number): unknown {
    if (isPlain(given, "=")) return "=";
    const key = this.build(given, level);
    const isScalarKey = !(Array.isArray(key) || key instanceof Map || key instanceof Set);
    if (isScalarKey && (given === null || isScalar(this.#target(given)))) return key;
    throw new RangeError("a list, a map or a set is used as a key");
  }

  #scalar(node: Scalar): unknown {
    const text = String(node.value);
    const isPlainText = node.type === "PLAIN" || node.tag === "!";
    const tag = shortTag(node.tag) ?? (isPlainText ? kindOfPlain(text) : "str");
    switch (tag) {
      case "str":
        return text;
      case "null":
        return null;
      case "bool":
        return readBool(text);
      case "int":
        return readInt(text);
      case "float":
        return this.#float(readFloat(text));
      case "timestamp":
        return readTimestamp(text);
      case "binary":
        if (/[^\0-\x7f]/.test(text)) throw new RangeError("!!binary is not ASCII");
        return decodeBase64(text);
      default:
        throw node.tag === undefined
          ? new RangeError(`a lone ${text} is no value`)
          : noReader(node.tag);
    }
  }

  #float(value: number): number | PythonFloat {
    return this.#options.wrapFloats === true && isPythonInt(value) ? new PythonFloat(value) : value;
  }
}

function isPlain(node: Key, text: string): boolean {
  return isScalar(node) && node.type === "PLAIN" && node.tag === undefined && node.value === text;
}

function shortTag(tag: string | undefined): string | undefined {
  if (tag === undefined || tag === "!") return undefined;
  return tag.startsWith(PREFIX) ? tag.slice(PREFIX.length) : `!${tag}`;
}

function noReader(tag: string | undefined): RangeError {
  return new RangeError(`the tag ${tag} is none that a safe reader knows`);
}
