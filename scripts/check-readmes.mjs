// npm run check: every ```ts block of a package README, of the README at the root, of docs/ and of the guide
// compiles against the built packages. Run `npm run build` first when you run this by hand.
//
// A block is written where its package's own imports resolve, behind as many empty lines as stand
// before it in the README, so that the compiler's line numbers are those of the README. Those of a page
// of the guide are files of one project, under the names that the page gives them.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { capture } from "./lib/checker.mjs";
import { readGuidePages } from "./lib/guide-pages.mjs";
import { packageFolders, ROOT } from "./lib/workspace.mjs";

/** The ignored folder, below a package, that the blocks are written to. */
const FOLDER = "dist-test/readme";
/** It has every package that the guide imports. */
const GUIDE_PACKAGE = "integration";

const packages = packageFolders().filter((folder) => folder.startsWith("packages/"));
const readmes = [
  ["README.md", "packages/sdk-node"],
  ...readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => [`docs/${name}`, "packages/cli"]),
  ...packages.map((folder) => [`${folder}/README.md`, folder]),
].filter(([readme]) => existsSync(join(ROOT, readme)));
const folders = [...new Set([...readmes.map(([, folder]) => folder), GUIDE_PACKAGE])].map(
  (folder) => join(ROOT, folder, FOLDER),
);
process.once("exit", removeFolders);

removeFolders();
for (const folder of folders) mkdirSync(folder, { recursive: true });
const files = new Map();
for (const [readme, folder] of readmes) {
  for (const { line, text } of blocksOf(readFileSync(join(ROOT, readme), "utf8"))) {
    const name = `${readme.replaceAll(/[/.]/g, "-")}-${line}.ts`;
    writeExample(`${folder}/${FOLDER}/${name}`, readme, line, text);
  }
}
for (const { name, path, blocks } of readGuidePages()) {
  for (const { kind, rest, language, line, text } of blocks) {
    if (language !== "ts") continue;
    if (kind !== "file")
      throw new Error(`${path}:${line}: a program without a name is run by no test`);
    writeExample(`${GUIDE_PACKAGE}/${FOLDER}/${name}/${rest}`, path, line, text);
  }
}

const config = join(folders[0], "tsconfig.json");
writeFileSync(config, JSON.stringify(compilerConfig([...files.keys()])));
const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
try {
  await capture(process.execPath, [tsc, "-p", config, "--pretty", "false"]);
  console.error(`check-readmes: ${files.size} examples compile`);
} catch (error) {
  let said = error.message;
  for (const [file, readme] of files) said = said.replaceAll(file, readme);
  console.error(`check-readmes: an example does not compile\n${said}`);
  process.exitCode = 1;
}

function writeExample(file, readme, linesBefore, text) {
  mkdirSync(dirname(join(ROOT, file)), { recursive: true });
  writeFileSync(join(ROOT, file), "\n".repeat(linesBefore) + text);
  files.set(file, readme);
}

/** The blocks with the number of lines before them. */
function* blocksOf(markdown) {
  for (const match of markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)) {
    const before = markdown.slice(0, match.index + "```ts\n".length);
    yield { line: before.split("\n").length - 1, text: match[1] };
  }
}

function compilerConfig(names) {
  return {
    extends: join(ROOT, "tsconfig.base.json"),
    compilerOptions: {
      composite: false,
      incremental: false,
      declaration: false,
      declarationMap: false,
      isolatedDeclarations: false,
      noEmit: true,
      types: ["node"],
      typeRoots: [join(ROOT, "node_modules/@types")],
    },
    files: names.map((name) => join(ROOT, name)),
  };
}

function removeFolders() {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
