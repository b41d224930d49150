import type { ListNode, MapNode, YamlNode } from "../yaml/nodes.ts";
import { parseDocument } from "../yaml/parse-document.ts";
import { yamlError } from "../yaml/yaml-error.ts";
import { buildYaml } from "./parse-yaml.ts";
import { tagOfPlain } from "./resolve-scalar.ts";
import { isMetadataMap, type MetadataMap } from "./values.ts";

const WORD = /^[\p{L}_][\p{L}\p{N}_./ -]*$/u;
/** What one YAML reader or another takes for a boolean, null or a float. */
const TYPED_WORDS = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$/i;
/** Numbers with two points or more, such as `1.0.2`, are text to every reader. */
const VERSION_NUMBER = /^\d+(?:\.\d+){2,}$/;

const TEXTS_OF_SDK: readonly string[] = ["language", "version", "supervisor_schema_version"];

/** Metadata as its author meant it. */
export interface MeantMetadata {
  readonly metadata: MetadataMap;
  /**
   * What some YAML reader takes for something else, as it was written: `on`, `1e3`, `010`,
   * `2026-06-16`, tags. Empty for text that can be handed on as it is.
   */
  readonly mistakable: readonly string[];
}

/**
 * Reads YAML of which some values can only be meant as text, whether they are quoted or not: the
 * versions, and the ids of Dags and tasks. They are read as they are written, so an unquoted
 * `2026-06-16` or `1.10` is just that. All else is typed as PyYAML types it.
 *
 * @throws BundleError `bad-metadata` for text that is no YAML, or no map at its top
 */
export function parseAsMeant(text: string): MeantMetadata {
  const root = parseDocument(text);
  const quoter = new Quoter();
  const metadata = root === undefined ? null : buildYaml(quoter.quote(root));
  if (root === undefined || !isMetadataMap(metadata)) throw yamlError("it is not a map at its top");
  // What an alias or a merge key brings in was written elsewhere, so everything is looked at.
  const mistakable = quoter.hasAlias ? mistakableIn(root) : [...quoter.mistakable];
  return { metadata, mistakable };
}

type Entry = MapNode["entries"][number];

/** Quotes the plain scalars that are meant as text. */
class Quoter {
  readonly mistakable = new Set<string>();
  hasAlias = false;

  quote(root: YamlNode): YamlNode {
    return this.#map(root, (key, entry) => {
      if (key === "airflow_bundle_metadata_version") return this.#value(entry);
      if (key === "sdk") return [entry[0], this.#sdk(entry[1])];
      if (key === "dags" || key === "task_handlers") return [entry[0], this.#dags(entry[1])];
      return entry;
    });
  }

  #sdk(node: YamlNode): YamlNode {
    return this.#map(node, (key, entry) =>
      TEXTS_OF_SDK.includes(key ?? "") ? this.#value(entry) : entry,
    );
  }

  #dags(node: YamlNode): YamlNode {
    return this.#map(node, (_id, [id, dag]) => [this.#text(id), this.#dag(dag)]);
  }

  #dag(node: YamlNode): YamlNode {
    if (node.kind === "list") return this.#list(node);
    return this.#map(node, (key, entry) => {
      const [, tasks] = entry;
      return key === "tasks" && tasks.kind === "list" ? [entry[0], this.#list(tasks)] : entry;
    });
  }

  #list(node: ListNode): YamlNode {
    return { ...node, items: node.items.map((item) => this.#text(item)) };
  }

  #map(node: YamlNode, change: (key: string | undefined, entry: Entry) => Entry): YamlNode {
    if (node.kind === "alias") this.hasAlias = true;
    if (node.kind !== "map") return node;
    const entries = node.entries.map((entry) => {
      const [key, value] = entry;
      const name = key.kind === "scalar" ? key.text : undefined;
      if (key.kind === "alias" || value.kind === "alias" || name === "<<") this.hasAlias = true;
      return change(name, entry);
    });
    return { ...node, entries };
  }

  #value([key, value]: Entry): Entry {
    return [key, this.#text(value)];
  }

  #text(node: YamlNode): YamlNode {
    if (node.kind === "alias") this.hasAlias = true;
    if (node.kind !== "scalar") return node;
    if (node.tag !== undefined) this.mistakable.add(node.tag);
    if (node.tag !== undefined || !node.isPlain) return node;
    if (tagOfPlain(node.text) === "null") return node; // nothing is meant: it is refused later
    if (isMistakable(node.text)) this.mistakable.add(node.text);
    return { ...node, isPlain: false };
  }
}

/** Wherever it stands: an alias may bring it to any place. */
function mistakableIn(root: YamlNode): readonly string[] {
  const found = new Set<string>();
  const visit = (node: YamlNode): void => {
    if (node.kind === "alias") return;
    if (node.tag !== undefined) found.add(node.tag);
    if (node.kind === "list") for (const item of node.items) visit(item);
    if (node.kind === "map") for (const part of node.entries.flat()) visit(part);
    if (node.kind === "scalar" && node.isPlain && node.text !== "" && isMistakable(node.text)) {
      found.add(node.text);
    }
  };
  visit(root);
  return [...found];
}

function isMistakable(text: string): boolean {
  return !VERSION_NUMBER.test(text) && (!WORD.test(text) || TYPED_WORDS.test(text));
}
