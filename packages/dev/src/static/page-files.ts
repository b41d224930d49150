import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";

/** One file of the page. */
export interface PageFile {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** The files of the page by their path in the address, `/` for its start. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".txt": "text/plain; charset=utf-8",
};

/** For a checkout whose page was not built. */
const NOT_BUILT: PageFile = {
  contentType: "text/plain; charset=utf-8",
  bytes: Buffer.from("The page is not built here: npm run build\n"),
};

/**
 * Reads all files of the page. The server answers with these and with no others: an address never
 * becomes the name of a file.
 */
export async function readPageFiles(folder: string): Promise<PageFiles> {
  const files = new Map<string, PageFile>([["/", NOT_BUILT]]);
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  for (const entry of entries) {
    const contentType = CONTENT_TYPES[extname(entry.name)];
    if (!entry.isFile() || contentType === undefined) continue;
    const file = join(entry.parentPath ?? entry.path, entry.name);
    const path = `/${relative(folder, file).split(sep).join("/")}`;
    files.set(path === "/index.html" ? "/" : path, { contentType, bytes: await readFile(file) });
  }
  return files;
}
