import { type Cursor, isBlank, isSpaceOrEnd } from "./cursor.ts";
import { skipRestOfLine } from "./scan-scalars.ts";
import type { Token } from "./tokens.ts";
import { yamlError } from "./yaml-error.ts";

const NAME = /[0-9A-Za-z_-]*/y;
const HANDLE = /!(?:[0-9A-Za-z_-]*!)?/y;
const URI = /[0-9A-Za-z\-;/?:@&=+$,_.!~*'()[\]%]*/y;
const SPACES = / */y;
const REST_OF_LINE = /[^\n\u2028\u2029]*/y;

/** `&name` or `*name` */
export function scanAnchor(cursor: Cursor): Token {
  const type = cursor.peek() === "*" ? "alias" : "anchor";
  cursor.skip();
  const text = cursor.take(NAME);
  const next = cursor.peek();
  if (text === "" || !(isBlank(next) || "?:,]}%@`".includes(next))) {
    throw yamlError("an anchor or alias has a name that YAML 1.1 does not allow", cursor.line);
  }
  return { type, text };
}

/** `!<uri>`, `!`, `!local`, `!!known` or `!handle!suffix` */
export function scanTag(cursor: Cursor): Token {
  let handle: string | undefined;
  let text: string;
  if (cursor.peek(1) === "<") {
    cursor.skip(2);
    text = scanUri(cursor);
    if (cursor.peek() !== ">") throw yamlError("a tag is not closed", cursor.line);
    cursor.skip();
  } else if (isBlank(cursor.peek(1))) {
    cursor.skip();
    text = "!";
  } else {
    handle = cursor.take(HANDLE);
    // with a second `!` further on, only a name may stand before it
    const ahead = /^[^ \n\u2028\u2029]*/.exec(cursor.text.slice(cursor.at, cursor.at + 1024));
    if (handle === "!" && ahead?.[0].includes("!")) {
      throw yamlError("a tag has a handle that YAML does not know", cursor.line);
    }
    text = scanUri(cursor);
  }
  if (!isSpaceOrEnd(cursor.peek())) throw yamlError("a space is missing after a tag", cursor.line);
  return { type: "tag", handle, text };
}

function scanUri(cursor: Cursor): string {
  const source = cursor.take(URI);
  if (source === "") throw yamlError("a tag has no name", cursor.line);
  if (!source.includes("%")) return source;
  try {
    return decodeURIComponent(source);
  } catch {
    throw yamlError("a tag has a bad escape", cursor.line);
  }
}

/** `%YAML`, `%TAG` or one that is not known and skipped */
export function scanDirective(cursor: Cursor): Token {
  cursor.skip();
  const name = cursor.take(NAME);
  if (name === "" || !isSpaceOrEnd(cursor.peek())) throw bad(cursor);
  let token: Token = { type: "directive", text: name, values: [] };
  if (name === "YAML") {
    cursor.take(SPACES);
    const version = cursor.take(/\d+\.\d+/y);
    if (version === "" || !isSpaceOrEnd(cursor.peek())) throw bad(cursor);
    token = { type: "directive", text: name, values: [version] };
  } else if (name === "TAG") {
    cursor.take(SPACES);
    const handle = cursor.take(HANDLE);
    if (handle === "" || cursor.peek() !== " ") throw bad(cursor);
    cursor.take(SPACES);
    const prefix = scanUri(cursor);
    if (!isSpaceOrEnd(cursor.peek())) throw bad(cursor);
    token = { type: "directive", text: name, values: [handle, prefix] };
  } else {
    cursor.take(REST_OF_LINE);
  }
  skipRestOfLine(cursor);
  return token;
}

function bad(cursor: Cursor): Error {
  return yamlError("a directive can't be read", cursor.line);
}
