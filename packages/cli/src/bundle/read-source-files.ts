import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, normalize, resolve, sep } from "node:path";
import { BundleError, type BundleSource, MAX_HELD_SOURCE_BYTES } from "@parlance/bundle";

/** Folders that hold no source of one's own. */
const PASSED_OVER = /^(\..*|node_modules|__pycache__)$/;

/**
 * Reads the files that are to be embedded. A file is called by its name, or, where another has the
 * same, by its path as it was typed; what is in a folder by its path from the folder's parent on.
 * In folders, hidden entries, links, `node_modules` and `__pycache__` are passed over.
 *
 * @throws BundleError `cannot-read`, `bad-sources` for a folder without files, or two of one name
 */
export function readSourceFiles(given: readonly string[], cwd: string): readonly BundleSource[] {
  const names = given.map((path) => basename(path));
  const sources = given.flatMap((path, at) => {
    const full = resolve(cwd, path);
    if (isFolder(full)) return readFolder(full, basename(full), path);
    const isAlone = names.indexOf(names[at] as string) === names.lastIndexOf(names[at] as string);
    const name = isAlone ? basename(full) : normalize(path).split(sep).join("/");
    return [{ path: name, data: readInput(full) }];
  });
  const paths = sources.map(({ path }) => path);
  const twice = paths.find((path, at) => paths.indexOf(path) !== at);
  if (twice !== undefined) {
    const message = `Two sources would be called ${JSON.stringify(twice)}; give one of them by another path.`;
    throw new BundleError("bad-sources", message);
  }
  return sources;
}

/** @throws BundleError `cannot-read`, `too-large` for more than 64 MiB */
export function readInput(path: string): Buffer {
  try {
    const { size } = statSync(path);
    if (size <= MAX_HELD_SOURCE_BYTES) return readFileSync(path);
    throw new BundleError(
      "too-large",
      `${path} has ${size} bytes; at most ${MAX_HELD_SOURCE_BYTES} are embedded.`,
      { path },
    );
  } catch (cause) {
    if (cause instanceof BundleError) throw cause;
    throw new BundleError("cannot-read", `Can't read ${path}: ${(cause as Error).message}`, {
      cause,
      path,
    });
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function readFolder(folder: string, name: string, given: string): readonly BundleSource[] {
  const sources = [...filesIn(folder, name)];
  if (sources.length === 0) {
    throw new BundleError("bad-sources", `There is no file in the folder ${given}.`);
  }
  return sources;
}

function* filesIn(folder: string, name: string): Generator<BundleSource> {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (PASSED_OVER.test(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path, `${name}/${entry.name}`);
    else if (entry.isFile()) yield { path: `${name}/${entry.name}`, data: readInput(path) };
  }
}
