/** A comment, a text, a name or number, or one character of another kind. */
const TOKEN = /#[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\p{L}\p{N}_.]+|[^\s]/gu;

/** The words of a Dag file as we write it, without white space: no text in it goes over a line end. */
export function tokensOf(python: string): readonly string[] {
  return python.match(TOKEN) ?? [];
}

/**
 * The same, without what formatters change: quotes, commas before a closing bracket, brackets around
 * a text of several pieces and where these are cut, comments that are moved.
 */
export function bareTokensOf(python: string): readonly string[] {
  const bare: string[] = [];
  for (const token of tokensOf(python)) {
    const last = bare.at(-1);
    if (/^[)\]}]$/.test(token) && last === ",") bare.pop();
    const text = /^(["'])(.*)\1$/su.exec(token);
    if (text === null) bare.push(token);
    else if (last?.startsWith('"') === true) bare.push(joinTexts(String(bare.pop()), quoted(text)));
    else bare.push(quoted(text));
  }
  return bare.filter((token, at) => !isTextBracket(bare, token, at));
}

function quoted([, quote = "", inner = ""]: RegExpExecArray): string {
  const plain = inner.replaceAll(`\\${quote}`, quote);
  return `"${plain.replace(/\\.|"/gsu, (found) => (found === '"' ? '\\"' : found))}"`;
}

function joinTexts(one: string, other: string): string {
  return one.slice(0, -1) + other.slice(1);
}

/** `("a text")`, of which only the text counts, behind `=`, `:` or `,`. */
function isTextBracket(tokens: readonly string[], token: string, at: number): boolean {
  const opens = (start: number) =>
    tokens[start] === "(" &&
    tokens[start + 1]?.startsWith('"') === true &&
    tokens[start + 2] === ")" &&
    /^[=:,[({]$/.test(tokens[start - 1] ?? "");
  return (token === "(" && opens(at)) || (token === ")" && opens(at - 2));
}
