import { Cursor, END, isBlank } from "./cursor.ts";
import { scanAnchor, scanDirective, scanTag } from "./scan-properties.ts";
import { scanBlock, scanPlain, scanQuoted } from "./scan-scalars.ts";
import type { Token } from "./tokens.ts";
import { MAX_LEVELS, tooDeep, yamlError } from "./yaml-error.ts";

/** A `:` makes a key of what stands at most this many characters before it, on one line. */
const MAX_KEY_LENGTH = 1024;
const COMMENT = /#[^\n\u2028\u2029]*/y;
const SPACES = / */y;

/** A token that a `:` behind it would make a key. */
interface PossibleKey {
  /** Index of the token. */
  readonly token: number;
  /** It stands where a block map's key must. */
  readonly isRequired: boolean;
  readonly at: number;
  readonly line: number;
  readonly column: number;
}

/**
 * Cuts YAML 1.1 text into tokens, with the layout rules of PyYAML: what is a key is only known at
 * its `:`, and is told by a token put before it afterwards.
 *
 * @param text - with `\n` for all line ends but U+2028 and U+2029
 * @throws BundleError `bad-metadata`
 */
export function tokenize(text: string): readonly Token[] {
  const tokenizer = new Tokenizer(text);
  while (tokenizer.next());
  return tokenizer.tokens;
}

class Tokenizer {
  readonly tokens: Token[] = [];
  readonly #cursor: Cursor;
  /** Column of the block that is open, -1 for none; and of those around it. */
  #indent = -1;
  readonly #indents: number[] = [];
  #flowLevel = 0;
  #mayBeKey = true;
  /** One at most for each flow level; sparse. */
  #possibleKeys: (PossibleKey | undefined)[] = [];

  constructor(text: string) {
    this.#cursor = new Cursor(text);
    if (text.startsWith("\ufeff")) this.#cursor.at = 1; // it takes no column
  }

  /** Adds the next tokens; false at the end of the text. */
  next(): boolean {
    const cursor = this.#cursor;
    this.#skipToToken();
    this.#dropStaleKeys();
    this.#closeBlocks(cursor.column);
    const next = cursor.peek();
    if (next === END) {
      this.#endDocument({ type: "stream-end" });
      return false;
    }
    if (cursor.column === 0 && this.#documentToken(next)) return true;
    if (this.#indicator(next)) return true;
    if (next === "*" || next === "&") this.#keyable(() => scanAnchor(cursor));
    else if (next === "!") this.#keyable(() => scanTag(cursor));
    else if (next === "'" || next === '"') {
      this.#keyable(() => ({ type: "scalar", isPlain: false, ...scanQuoted(cursor) }));
    } else if ((next === "|" || next === ">") && this.#flowLevel === 0) this.#block();
    else if (this.#startsPlain(next)) this.#plain();
    else throw yamlError(`${JSON.stringify(next)} can't stand here without quotes`, cursor.line);
    return true;
  }

  #skipToToken(): void {
    const cursor = this.#cursor;
    for (;;) {
      cursor.take(SPACES);
      cursor.take(COMMENT);
      if (cursor.takeBreak() === "") return;
      if (this.#flowLevel === 0) this.#mayBeKey = true;
    }
  }

  #documentToken(next: string): boolean {
    const cursor = this.#cursor;
    if (next === "%") {
      this.#closeAll();
      this.tokens.push(scanDirective(cursor));
      return true;
    }
    if (!cursor.atDocumentMark()) return false;
    this.#endDocument({ type: next === "-" ? "document-start" : "document-end" });
    cursor.skip(3);
    return true;
  }

  #endDocument(token: Token): void {
    this.#closeAll();
    this.tokens.push(token);
  }

  #closeAll(): void {
    this.#closeBlocks(-1);
    this.#dropKey();
    this.#mayBeKey = false;
  }

  /** `[ ] { } , - ? :` */
  #indicator(next: string): boolean {
    const isBeforeBlank = isBlank(this.#cursor.peek(1));
    const isInFlow = this.#flowLevel > 0;
    if (next === "[") this.#openFlow({ type: "flow-list" });
    else if (next === "{") this.#openFlow({ type: "flow-map" });
    else if (next === "]") this.#closeFlow({ type: "flow-list-end" });
    else if (next === "}") this.#closeFlow({ type: "flow-map-end" });
    else if (next === ",") {
      this.#mayBeKey = true;
      this.#dropKey();
      this.tokens.push({ type: "flow-entry" });
    } else if (next === "-" && isBeforeBlank) this.#blockStart("block-list", "block-entry");
    else if (next === "?" && (isInFlow || isBeforeBlank)) this.#blockStart("block-map", "key");
    else if (next === ":" && (isInFlow || isBeforeBlank)) this.#value();
    else return false;
    this.#cursor.skip();
    return true;
  }

  #openFlow(token: Token): void {
    this.#saveKey();
    if (++this.#flowLevel > MAX_LEVELS) throw tooDeep();
    this.#mayBeKey = true;
    this.tokens.push(token);
  }

  #closeFlow(token: Token): void {
    this.#dropKey();
    if (--this.#flowLevel < 0) throw yamlError("a bracket closes nothing", this.#cursor.line);
    this.#mayBeKey = false;
    this.tokens.push(token);
  }

  /** `- ` or `? `, which open a block where they stand deeper than the last one. */
  #blockStart(block: "block-list" | "block-map", type: "block-entry" | "key"): void {
    const isInFlow = this.#flowLevel > 0;
    if (!isInFlow) {
      if (!this.#mayBeKey) throw yamlError("a list or a key can't start here", this.#cursor.line);
      if (this.#openBlock(this.#cursor.column)) this.tokens.push({ type: block });
    }
    this.#mayBeKey = type === "block-entry" || !isInFlow;
    this.#dropKey();
    this.tokens.push({ type });
  }

  #value(): void {
    const isInFlow = this.#flowLevel > 0;
    const key = this.#possibleKeys[this.#flowLevel];
    if (key !== undefined) {
      this.#possibleKeys[this.#flowLevel] = undefined;
      const opens = !isInFlow && this.#openBlock(key.column);
      const inserted: Token[] = opens
        ? [{ type: "block-map" }, { type: "key" }]
        : [{ type: "key" }];
      this.tokens.splice(key.token, 0, ...inserted);
      this.#mayBeKey = false;
    } else {
      if (!isInFlow) {
        if (!this.#mayBeKey) throw yamlError("a `:` can't stand here", this.#cursor.line);
        if (this.#openBlock(this.#cursor.column)) this.tokens.push({ type: "block-map" });
      }
      this.#mayBeKey = !isInFlow;
      this.#dropKey();
    }
    this.tokens.push({ type: "value" });
  }

  #keyable(scan: () => Token): void {
    this.#saveKey();
    this.#mayBeKey = false;
    this.tokens.push(scan());
  }

  #block(): void {
    this.#mayBeKey = true;
    this.#dropKey();
    const text = scanBlock(this.#cursor, this.#indent);
    this.tokens.push({ type: "scalar", text, isPlain: false, hasSurrogateEscape: false });
  }

  #startsPlain(next: string): boolean {
    if (isBlank(next)) return false;
    if (!"-?:,[]{}#&*!|>'\"%@`".includes(next)) return true;
    const mayStart = next === "-" || (this.#flowLevel === 0 && (next === "?" || next === ":"));
    return mayStart && !isBlank(this.#cursor.peek(1));
  }

  #plain(): void {
    this.#saveKey();
    const { text, endsOnNewLine } = scanPlain(this.#cursor, this.#indent, this.#flowLevel > 0);
    this.#mayBeKey = endsOnNewLine;
    this.tokens.push({ type: "scalar", text, isPlain: true, hasSurrogateEscape: false });
  }

  #openBlock(column: number): boolean {
    if (this.#indent >= column) return false;
    this.#indents.push(this.#indent);
    if (this.#indents.length > MAX_LEVELS) throw tooDeep();
    this.#indent = column;
    return true;
  }

  #closeBlocks(column: number): void {
    if (this.#flowLevel > 0) return;
    while (this.#indent > column) {
      this.#indent = this.#indents.pop() ?? -1;
      this.tokens.push({ type: "block-end" });
    }
  }

  #saveKey(): void {
    if (!this.#mayBeKey) return;
    this.#dropKey();
    const { at, line, column } = this.#cursor;
    const isRequired = this.#flowLevel === 0 && this.#indent === column;
    this.#possibleKeys[this.#flowLevel] = {
      token: this.tokens.length,
      isRequired,
      at,
      line,
      column,
    };
  }

  #dropKey(): void {
    const key = this.#possibleKeys[this.#flowLevel];
    if (key?.isRequired) throw yamlError("a `:` is missing after a key", key.line);
    this.#possibleKeys.length = Math.min(this.#possibleKeys.length, this.#flowLevel);
  }

  /** A key must be on one line with its `:`, and near it. */
  #dropStaleKeys(): void {
    const { at, line } = this.#cursor;
    for (const [level, key] of this.#possibleKeys.entries()) {
      if (key === undefined || (key.line === line && at - key.at <= MAX_KEY_LENGTH)) continue;
      if (key.isRequired) throw yamlError("a `:` is missing after a key", key.line);
      this.#possibleKeys[level] = undefined;
    }
  }
}
