import { Lexer } from "yaml";
import { BundleError } from "../errors.ts";

/** What follows is a plain or block scalar's text. */
const SCALAR_MARK = "\u001f";

/**
 * The `yaml` package reads some text that YAML 1.1 readers refuse; this refuses it too: tabs
 * outside of quoted text, block text and comments; `?` in, or `:` at the start of, unquoted text
 * in `[]` and `{}`; a tag that no space follows.
 *
 * @throws BundleError `bad-metadata`
 */
export function refuseForeignGrammar(source: string): void {
  if (!/[\t?!]|:[^\s]/.test(source)) return;
  let before = "";
  let levels = 0;
  let isBlockText = false;
  for (const lexeme of new Lexer().lex(source)) {
    if (before.startsWith("!") && !/^\s/.test(lexeme)) throw bad("a space is missing after a tag");
    if (before === SCALAR_MARK) {
      if (!isBlockText) checkPlain(lexeme, levels > 0);
      isBlockText = false;
    } else {
      if (/^[ \t]+$/.test(lexeme) && lexeme.includes("\t")) throw tab();
      if (lexeme === "[" || lexeme === "{") levels++;
      else if (lexeme === "]" || lexeme === "}") levels--;
      else if (/^[|>]/.test(lexeme)) isBlockText = true;
    }
    before = lexeme;
  }
}

function checkPlain(text: string, isInFlow: boolean): void {
  if (text.includes("\t")) throw tab();
  if (isInFlow && (text.includes("?") || text.startsWith(":"))) {
    throw bad(`${JSON.stringify(text)} must be quoted inside of [] and {}`);
  }
}

function tab(): BundleError {
  return bad("it has a tab where only spaces may stand");
}

function bad(reason: string): BundleError {
  return new BundleError("bad-metadata", `The metadata can't be read as YAML: ${reason}.`);
}
