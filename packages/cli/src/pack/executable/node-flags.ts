import { CliError, ExitCode } from "../../errors.ts";

/** Flags with which Node would not run the bundle, or do something else. */
const NOT_FOR_BUNDLES = new Set([
  "--",
  "-",
  "--check",
  "-c",
  "--completion-bash",
  "--eval",
  "-e",
  "--experimental-sea-config",
  "--build-sea",
  "--help",
  "-h",
  "--input-type",
  "--interactive",
  "-i",
  "--print",
  "-p",
  "-pe",
  "--prof-process",
  "--run",
  "--test",
  "--version",
  "-v",
  "--v8-options",
  "--watch",
]);

/**
 * The flags for `node` that a bundle is to be started with.
 *
 * @param flags - one word each: `--max-old-space-size=512`
 * @param text - several, as in NODE_OPTIONS: words between spaces, or in double quotes
 * @throws CliError `bad-node-flag` (2)
 */
export function readNodeFlags(flags: readonly string[] = [], text = ""): string[] {
  const words = [...flags, ...splitOptions(text)];
  for (const [at, word] of words.entries()) {
    const name = word.replace(/=.*$/s, "");
    if (NOT_FOR_BUNDLES.has(name)) throw bad(word, "with it Node.js does not run the bundle");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    if (/[\u0000-\u001f\u007f]/.test(word)) throw bad(word, "it holds a control character");
    const isValue = at > 0 && words[at - 1]?.startsWith("--") && !words[at - 1]?.includes("=");
    if (!word.startsWith("-") && !isValue) throw bad(word, "a flag begins with -");
  }
  return words;
}

/** As Node.js splits NODE_OPTIONS. */
function splitOptions(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "\\" && isQuoted && at + 1 < text.length) word += text.charAt(++at);
    else if (character === '"') {
      isQuoted = !isQuoted;
      word ??= "";
    } else if (character === " " && !isQuoted) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  if (isQuoted) throw bad(text, "a double quote is not closed");
  if (word !== undefined) words.push(word);
  return words;
}

function bad(word: string, why: string): CliError {
  const message = `Cannot start a bundle with the Node.js flag ${JSON.stringify(word)}: ${why}.`;
  return new CliError("bad-node-flag", message, ExitCode.usage, { flag: word });
}
