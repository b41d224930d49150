import { CliError, ExitCode, usageError } from "../../errors.ts";
import type { CommandIo } from "../../io.ts";
import { readInput } from "../../read-input.ts";
import { warn } from "../../warn.ts";

/** The variable that names the store where no flag does. */
export const URL_VARIABLE = "PARLANCE_RESULTS_URL";

/** A URL is short; what is longer was not meant to be read. */
const MAX_FILE_BYTES = 65_536;

/** Where the URL of a result store may come from. */
export interface UrlSource {
  readonly url?: string | undefined;
  readonly urlFile?: string | undefined;
  readonly json?: boolean | undefined;
  /** How the flags are called. Default: `--url` and `--url-file`. */
  readonly names?: { readonly url: string; readonly urlFile: string };
}

/**
 * The URL of the result store, from a flag, a file (`-` is stdin) or `PARLANCE_RESULTS_URL`, in this
 * order. A password in a flag works, with a warning: other users see the words of a command.
 *
 * @throws CliError `usage`, `missing-url` (2); `cannot-read`, `bad-url-file` (65)
 */
export async function readResultsUrl(source: UrlSource, io: CommandIo): Promise<string> {
  const { url, urlFile } = source;
  const names = source.names ?? { url: "--url", urlFile: "--url-file" };
  if (url !== undefined && urlFile !== undefined) {
    throw usageError(`${names.url} and ${names.urlFile} can't both be given`);
  }
  if (urlFile !== undefined) return readUrlFile(urlFile, io);
  if (url !== undefined) {
    if (hasPassword(url)) await warnOfPassword(source, names, io);
    return checkUrl(url, names.url);
  }
  const fromVariable = io.env[URL_VARIABLE];
  if (fromVariable !== undefined && fromVariable.trim() !== "") return fromVariable.trim();
  throw new CliError(
    "missing-url",
    `Which result store? Give ${names.url}, ${names.urlFile} or ${URL_VARIABLE}, ` +
      "e.g. db+sqlite:///results.db or db+postgresql://user@host/database.",
    ExitCode.usage,
  );
}

function checkUrl(url: string, name: string): string {
  if (url.trim() !== "") return url.trim();
  throw new CliError("missing-url", `${name} got an empty text, expected a URL.`, ExitCode.usage);
}

async function readUrlFile(file: string, io: CommandIo): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of readInput(io, file)) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length > MAX_FILE_BYTES) throw badFile(file, `it is longer than ${MAX_FILE_BYTES} bytes`);
  }
  const lines = new TextDecoder().decode(Buffer.concat(chunks)).split(/\r?\n/);
  const [url, ...more] = lines.map((line) => line.trim()).filter((line) => line !== "");
  if (url === undefined) throw badFile(file, "it is empty");
  if (more.length > 0) throw badFile(file, "it has more than one line");
  return url;
}

/** Never quotes the file: it holds a password. */
function badFile(file: string, what: string): CliError {
  const message = `The URL file ${file} can't be used: ${what}. It holds one line, the URL.`;
  return new CliError("bad-url-file", message, ExitCode.badInput, { file });
}

/** A parameter that a URL is printed without. */
const SECRET_PARAMETER = /[?&][^=&]*(?:pass|secret|token|key_?data)[^=&]*=[^&]/i;

/** Also for URLs that are broken: between the scheme and the last `@`, after a colon. */
function hasPassword(url: string): boolean {
  return /^[^/]*:\/\/[^/@]*:[^/@]+.*@/.test(url) || SECRET_PARAMETER.test(url);
}

async function warnOfPassword(
  { json }: UrlSource,
  names: { readonly url: string; readonly urlFile: string },
  io: CommandIo,
): Promise<void> {
  const message =
    `the password in ${names.url} can be seen in the list of processes; ` +
    `use ${names.urlFile} or ${URL_VARIABLE}`;
  await warn(io, json === true, "password-on-command-line", message);
}
