import { isScalar, parseAllDocuments, Scalar, visit } from "yaml";

const WORD = /^[\p{L}_][\p{L}\p{N}_./ -]*$/u;
/** What one YAML reader or another takes for a boolean, null or a float. */
const TYPED_WORDS = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$/i;
/** One type in every reader: JSON's own values, and three numbers with two points or more. */
const PLAIN_VALUES =
  /^(?:true|false|null|-?(?:0|[1-9]\d{0,14})|-?(?:0|[1-9]\d*)\.\d+|\d+(?:\.\d+){2,})$/;

/**
 * The unquoted values and keys in YAML text that YAML 1.1 and 1.2 readers type differently, or
 * that are easily taken for another type: `on`, `1e3`, `010`, `2026-06-16`, merge keys, tagged
 * values. Empty for text that can be handed on as it is.
 */
export function findAmbiguous(text: string): readonly string[] {
  const found = new Set<string>();
  for (const document of parseAllDocuments(text, {
    version: "1.1",
    schema: "failsafe",
    logLevel: "silent",
  })) {
    visit(document, {
      Node: (_key, node) => {
        if ("tag" in node && node.tag !== undefined) found.add(node.tag);
        if (isScalar(node) && node.type === Scalar.PLAIN && isAmbiguous(node.source ?? "")) {
          found.add(node.source ?? "");
        }
      },
    });
  }
  return [...found];
}

function isAmbiguous(text: string): boolean {
  if (text === "") return false; // nothing there: null to all
  return !PLAIN_VALUES.test(text) && (!WORD.test(text) || TYPED_WORDS.test(text));
}
