#!/usr/bin/env node
// Bundles the page into dist/page: `npm run build` does it, as tsc does the server's part.
//
//   node packages/dev/page/bundle.mjs
//
// A file that stays the same is not written, so a server that reads it sees no half of one.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const OUT = join(HERE, "../dist/page");

const { outputFiles, metafile } = await build({
  metafile: true,
  absWorkingDir: HERE,
  entryPoints: [
    { in: "src/main.tsx", out: "app" },
    { in: "style/app.css", out: "app" },
  ],
  outdir: OUT,
  write: false,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022", "chrome123", "firefox121", "safari17.5"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
});
mkdirSync(OUT, { recursive: true });
for (const { path, contents } of outputFiles) writeChanged(basename(path), contents);
for (const name of ["index.html", "icon.svg"]) writeChanged(name, readFileSync(join(HERE, name)));
writeChanged("licenses.txt", Buffer.from(licenses().join("\n\n")));

/** Of what is bundled into app.js: their licences ask for it. */
function licenses() {
  const bundled = Object.keys(metafile.inputs).map(
    (path) => /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(path) ?? [],
  );
  const folders = new Map(bundled.map(([, folder, name]) => [name, folder]));
  folders.delete(undefined);
  return Array.from(folders, ([name, folder]) => {
    return `${name}\n\n${readFileSync(join(HERE, folder, "LICENSE"), "utf8")}`;
  });
}

function writeChanged(name, contents) {
  const path = join(OUT, name);
  try {
    if (readFileSync(path).equals(contents)) return;
  } catch {
    // not there yet
  }
  const half = `${path}.${process.pid}`;
  writeFileSync(half, contents);
  renameSync(half, path);
}
