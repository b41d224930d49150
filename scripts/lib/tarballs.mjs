// The public packages as npm would get them.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { capture } from "./checker.mjs";
import { packageFolders, pnpm, ROOT, readJson } from "./workspace.mjs";

/**
 * Packs every package that is not private into a folder, which is emptied first.
 *
 * @param {string} out absolute path
 * @returns {Promise<readonly { name: string, tarball: string, hasExports: boolean }[]>}
 */
export async function packTarballs(out) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const packed = [];
  for (const path of packageFolders()) {
    const manifest = readJson(join(path, "package.json"));
    if (manifest.private === true) continue;
    const [command, args] = pnpm(["pack", "--pack-destination", out]);
    await capture(command, args, { cwd: join(ROOT, path) }); // pnpm lists every file
    packed.push({ name: manifest.name, hasExports: manifest.exports !== undefined });
  }
  const files = readdirSync(out);
  return packed.map(({ name, hasExports }) => {
    const start = `${name.slice(1).replace("/", "-")}-`;
    const tarball = join(
      out,
      files.find((file) => file.startsWith(start)),
    );
    return { name, hasExports, tarball };
  });
}
