import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";

const packageUrl = new URL("../../", import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL("package.json", packageUrl), "utf8")) as {
  readonly exports: Readonly<Record<string, { readonly types?: string } | string>>;
};

/** Words in snake case, as the wire has them; names in capitals are constants. */
const SNAKE_CASE = /\b[a-z][a-z\d]*(?:_[a-z\d]+)+\b/g;

/** The declarations without comments and without texts, names of properties in quotes excepted. */
function namesIn(declarations: string): string[] {
  const code = declarations
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")
    .replace(/(["'`])((?:(?!\1).)*)\1(\??:)?/g, (_, quote, text, colon) => (colon ? text : quote));
  return code.match(SNAKE_CASE) ?? [];
}

/** Every declaration file that one can reach from a public entry, within the package. */
function reachable(entries: readonly URL[]): Map<string, string> {
  const found = new Map<string, string>();
  const waiting = [...entries];
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    const path = fileURLToPath(url);
    if (found.has(path) || !existsSync(path)) continue;
    const text = readFileSync(path, "utf8");
    found.set(path, text);
    for (const [, specifier = ""] of text.matchAll(/(?:from|import) ?\(?"(\.[^"]+)"/g)) {
      waiting.push(new URL(specifier.replace(/\.[tj]s$/, ".d.ts"), url));
    }
  }
  return found;
}

test("no name of the wire is in a public type", () => {
  const entries = Object.values(exports).flatMap((entry) =>
    typeof entry === "object" && entry.types !== undefined
      ? [new URL(entry.types, packageUrl)]
      : [],
  );
  const files = reachable(entries);
  assert.ok(files.size > 20, `only ${files.size} files were reached`);
  const wireNames = [...files].flatMap(([path, text]) =>
    namesIn(text).map((name) => `${path.slice(fileURLToPath(packageUrl).length)}: ${name}`),
  );
  assert.equal(wireNames, []);
});

test("the search finds what it searches for", () => {
  assert.equal(namesIn('/** dag_id */ type A = { task_id: 1; "run_id"?: "up_for_retry" } // x_y'), [
    "task_id",
    "run_id",
  ]);
});

test.run();
