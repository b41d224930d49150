import { Lexer } from "yaml";
import { BundleError } from "../errors.ts";

/** What follows is a plain or block scalar's text. */
const SCALAR_MARK = "\u001f";

/**
 * The `yaml` package reads some text that YAML 1.1 readers refuse; this refuses it too.
 *
 * @throws BundleError `bad-metadata`
 */
export function refuseForeignGrammar(source: string): void {
  if (source.includes("\t")) refuseTabs(source);
}

/** PyYAML takes tabs in quoted text, block text and comments, nowhere else. */
function refuseTabs(source: string): void {
  let before = "";
  let inBlock = false;
  for (const lexeme of new Lexer().lex(source)) {
    if (/^[|>]/.test(lexeme)) inBlock = true;
    const isText = before === SCALAR_MARK;
    const isPlain = isText && !inBlock;
    if (isText) inBlock = false;
    if (lexeme.includes("\t") && (isPlain || /^[ \t]+$/.test(lexeme))) {
      throw new BundleError(
        "bad-metadata",
        "The metadata can't be read as YAML: it has a tab where only spaces may stand.",
      );
    }
    before = lexeme;
  }
}
