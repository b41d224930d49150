import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Capabilities, placeMatrix, renderMatrix } from "@parlance/conformance";
import { CliError, ExitCode } from "../errors.ts";
import { type CommandIo, write, writeJson } from "../io.ts";
import { replaceFile } from "../replace-file.ts";
import { readCapabilitiesFile } from "./read-file.ts";

/** The options of `parlance capabilities render`. */
export interface RenderCapabilitiesFlags {
  readonly into: readonly string[];
  readonly check?: boolean;
  readonly print?: boolean;
  readonly json?: boolean;
}

interface Page {
  readonly page: string;
  readonly stale: boolean;
}

/**
 * Writes the matrices of declarations into their pages.
 *
 * @throws CliError `bad-capabilities`, `cannot-read`, `no-markers` (65); `cannot-write` (1)
 */
export async function renderCapabilities(
  files: readonly string[],
  flags: RenderCapabilitiesFlags,
  io: CommandIo,
): Promise<void> {
  const pages: Page[] = [];
  const matrices: string[] = [];
  for (const file of files) {
    const capabilities = await readCapabilitiesFile(file, io);
    if (flags.print === true) matrices.push(renderMatrix(capabilities));
    else pages.push(...(await renderInto(file, capabilities, flags, io)));
  }
  const stale = pages.filter((one) => one.stale);
  if (flags.json === true) await writeJson(io.stdout, flags.print ? { matrices } : { pages });
  else if (flags.print === true) await write(io.stdout, `${matrices.join("\n\n")}\n`);
  else {
    const word = flags.check === true ? "stale" : "was stale, written anew";
    const lines = pages.map((one) => `${one.page}: ${one.stale ? word : "up to date"}\n`);
    await write(io.stdout, lines.join(""));
  }
  if (stale.length > 0) io.setExitCode(ExitCode.failed);
}

async function renderInto(
  file: string,
  capabilities: Capabilities,
  { into, check }: RenderCapabilitiesFlags,
  io: CommandIo,
): Promise<Page[]> {
  const names = into.length === 0 ? ["README.md"] : into;
  const pages: Page[] = [];
  for (const name of names) {
    const path = resolve(io.cwd, dirname(file), name);
    const text = await readPage(path);
    const wanted = placeMatrix(text, capabilities);
    if (wanted === undefined) {
      const message = `${path} has no place for the matrix: put the lines <!-- capabilities:begin --> and <!-- capabilities:end --> into it`;
      throw new CliError("no-markers", message, ExitCode.badInput, { file: path });
    }
    const stale = wanted !== text;
    if (stale && check !== true) await replaceFile(path, wanted);
    pages.push({ page: path, stale });
  }
  return pages;
}

async function readPage(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const message = `Cannot read ${path}: ${(cause as Error).message}`;
    throw new CliError("cannot-read", message, ExitCode.badInput, { file: path }, { cause });
  }
}
