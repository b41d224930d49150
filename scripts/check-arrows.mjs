// npm run check: holds package.json dependencies, tsconfig references and imports to the
// table of arrows between packages (docs/architecture.md). A change of the table is a
// design change: say why in the commit.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolders, ROOT, readJson } from "./lib/workspace.mjs";

/** Which packages of ours a package may import. */
const ARROWS = {
  framing: [],
  protocol: [],
  bundle: [],
  retry: [],
  results: [],
  "sdk-node": ["framing", "protocol"],
  coordinator: ["framing", "protocol", "bundle", "retry"],
  conformance: ["framing", "protocol", "bundle", "coordinator"],
  dev: ["protocol", "retry", "coordinator"],
  cli: [
    "framing",
    "protocol",
    "bundle",
    "retry",
    "results",
    "coordinator",
    "conformance",
    "sdk-node",
    "dev",
  ],
  "test-kit": [],
  integration: [
    "framing",
    "protocol",
    "bundle",
    "retry",
    "results",
    "coordinator",
    "conformance",
    "sdk-node",
    "dev",
    "cli",
  ],
};
/** What tests may use beyond their package's own arrows. */
const TEST_ONLY = ["test-kit"];

const faults = [];
const fault = (where, what) => faults.push(`${where}: ${what}`);
const ours = (names) =>
  names.filter((name) => name.startsWith("@parlance/")).map((n) => n.slice(10));
const sorted = (names) => [...new Set(names)].sort().join(", ") || "none";

for (const folder of packageFolders()) checkPackage(folder);
if (faults.length > 0) {
  console.error(faults.map((line) => `check-arrows: ${line}`).join("\n"));
  process.exit(1);
}
console.error(`check-arrows: ${packageFolders().length} packages keep to the table`);

function checkPackage(folder) {
  const manifest = readJson(join(folder, "package.json"));
  const name = manifest.name.slice(10);
  const allowed = ARROWS[name];
  if (allowed === undefined)
    return fault(folder, "is not in the table of scripts/check-arrows.mjs");

  const dependencies = ours(Object.keys(manifest.dependencies ?? {}));
  const devDependencies = ours(Object.keys(manifest.devDependencies ?? {}));
  forbid(`${folder}/package.json dependencies`, dependencies, allowed);
  forbid(`${folder}/package.json devDependencies`, devDependencies, [...allowed, ...TEST_ONLY]);

  const testDependencies = [...dependencies, ...devDependencies];
  for (const [config, wanted, self] of [
    ["tsconfig.json", dependencies, []],
    ["tsconfig.test.json", testDependencies, name === "integration" ? [] : [name]],
  ]) {
    const references = readReferences(folder, config);
    if (references === undefined) continue;
    const expected = sorted([...wanted, ...self]);
    if (sorted(references) !== expected) {
      fault(`${folder}/${config}`, `references ${sorted(references)}, but depends on ${expected}`);
    }
  }
  for (const [part, usable] of [
    ["src", [...dependencies, name]],
    ["test", [...testDependencies, name]],
  ]) {
    for (const file of sourceFiles(join(folder, part))) {
      forbid(file, importsOf(file), usable);
    }
  }
}

function forbid(where, used, allowed) {
  for (const name of used) {
    if (!allowed.includes(name))
      fault(where, `may not use @parlance/${name} (may use: ${sorted(allowed)})`);
  }
}

/** The packages that a tsconfig references, or undefined when there is no such file. */
function readReferences(folder, config) {
  let parsed;
  try {
    parsed = readJson(join(folder, config));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
  const own = readJson(join(folder, "package.json")).name.slice(10);
  return (parsed.references ?? []).map(({ path }) =>
    path === "./tsconfig.json"
      ? own
      : path.split("/").find((part) => part !== ".." && part !== "packages"),
  );
}

function sourceFiles(folder) {
  let entries;
  try {
    entries = readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true });
  } catch {
    return [];
  }
  return entries
    .filter((entry) => entry.isFile() && /\.(?:ts|mts|mjs|js)$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .map((path) => path.slice(ROOT.length));
}

/** Static and dynamic imports of packages of ours. */
function importsOf(file) {
  const text = readFileSync(join(ROOT, file), "utf8");
  const pattern = /(?:from|import)\s*\(?\s*["']@parlance\/([a-z-]+)/g;
  return [...text.matchAll(pattern)].map((match) => match[1]);
}
