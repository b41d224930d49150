/** A comment, a text, a name or number, or one character of another kind. */
const TOKEN = /#[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\p{L}\p{N}_.]+|[^\s]/gu;

/** In place of a round bracket that begins a line. */
const GROUP = "\0";

/** The words of a Dag file as we write it, without white space: no text in it goes over a line end. */
export function tokensOf(python: string): readonly string[] {
  return python.match(TOKEN) ?? [];
}

/**
 * The same, without what formatters change: quotes, commas before a closing bracket, brackets that
 * change nothing, and where a text of several pieces is cut.
 */
export function bareTokensOf(python: string): readonly string[] {
  const bare: string[] = [];
  // A bracket that begins a line calls nothing.
  const marked = python.replace(/^([ \t]*)\(/gm, `$1${GROUP}`);
  for (const token of tokensOf(marked)) {
    const last = bare.at(-1);
    if (/^[)\]}]$/.test(token) && last === ",") bare.pop();
    const text = /^(["'])(.*)\1$/su.exec(token);
    if (text === null) bare.push(token);
    else if (last?.startsWith('"') === true) bare.push(joinTexts(String(bare.pop()), quoted(text)));
    else bare.push(quoted(text));
  }
  return withoutIdleBrackets(bare);
}

function quoted([, quote = "", inner = ""]: RegExpExecArray): string {
  const plain = inner.replaceAll(`\\${quote}`, quote);
  return `"${plain.replace(/\\.|"/gsu, (found) => (found === '"' ? '\\"' : found))}"`;
}

function joinTexts(one: string, other: string): string {
  return one.slice(0, -1) + other.slice(1);
}

/** Without round brackets that change nothing: around a text, a call or a chain, and in no call. */
function withoutIdleBrackets(tokens: readonly string[]): readonly string[] {
  const idle = new Set<number>();
  const open: { readonly at: number; isIdle: boolean }[] = [];
  for (const [at, token] of tokens.entries()) {
    const innermost = open.at(-1);
    if (token === GROUP) {
      open.push({ at, isIdle: true });
    } else if (/^[([{]$/.test(token)) {
      const isCall = /^[\p{L}\p{N}_.]+$|^[)\]}]$/u.test(tokens[at - 1] ?? "");
      open.push({ at, isIdle: token === "(" && (!isCall || tokens[at - 1] === "import") });
    } else if (/^[)\]}]$/.test(token)) {
      open.pop();
      if (innermost?.isIdle === true) idle.add(innermost.at).add(at);
    } else if (
      /^[,&|]$/.test(token) &&
      innermost !== undefined &&
      tokens[innermost.at - 1] !== "import"
    ) {
      innermost.isIdle = false;
    }
  }
  return tokens.filter((_, at) => !idle.has(at)).map((token) => (token === GROUP ? "(" : token));
}
