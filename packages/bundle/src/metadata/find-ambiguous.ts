import type { YamlNode } from "../yaml/nodes.ts";
import { parseDocument } from "../yaml/parse-document.ts";

const WORD = /^[\p{L}_][\p{L}\p{N}_./ -]*$/u;
/** What one YAML reader or another takes for a boolean, null or a float. */
const TYPED_WORDS = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$/i;
/** One type in every reader: JSON's own values, and numbers with two points or more as text. */
const PLAIN_VALUES =
  /^(?:true|false|null|-?(?:0|[1-9]\d{0,14})|-?(?:0|[1-9]\d*)\.\d+|\d+(?:\.\d+){2,})$/;

/**
 * The unquoted values and keys in YAML text that YAML 1.1 and 1.2 readers type differently, or
 * that are easily taken for another type: `on`, `1e3`, `010`, `2026-06-16`, merge keys, tagged
 * values. Empty for text that can be handed on as it is.
 *
 * @throws BundleError `bad-metadata` for text that is no YAML
 */
export function findAmbiguous(text: string): readonly string[] {
  const found = new Set<string>();
  const visit = (node: YamlNode): void => {
    if (node.kind === "alias") return;
    if (node.tag !== undefined) found.add(node.tag);
    if (node.kind === "list") for (const item of node.items) visit(item);
    if (node.kind === "map") for (const part of node.entries.flat()) visit(part);
    if (node.kind === "scalar" && node.isPlain && isAmbiguous(node.text)) found.add(node.text);
  };
  const root = parseDocument(text);
  if (root !== undefined) visit(root);
  return [...found];
}

function isAmbiguous(text: string): boolean {
  if (text === "") return false; // nothing there: null to all
  return !PLAIN_VALUES.test(text) && (!WORD.test(text) || TYPED_WORDS.test(text));
}
