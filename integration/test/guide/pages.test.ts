import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type FollowedStep, followPage } from "./support/follow-page.ts";
import { readGuidePages } from "./support/guide-pages.ts";

// Every page of the guide, followed from its top to its end in a folder of its own: the files are
// written, the commands are run, and what they print, log and end with is what the page says.

const pages = await readGuidePages();
/** Two at a time, as there are cores: each waits for the page before it in its row. */
const rows: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
const followed = pages.map((page, index) => {
  const row = index % rows.length;
  const steps = Promise.resolve(rows[row]).then(() => followPage(page));
  rows[row] = steps.catch(() => {}); // told by the page's test
  return { page, steps };
});

test("the index names every page", () => {
  const index = readFileSync(new URL("../../../docs/guide/README.md", import.meta.url), "utf8");
  const linked = [...index.matchAll(/\]\(([\w-]+)\.md\)/g)].map(([, name]) => name);
  assert.equal(
    linked.sort(),
    pages.map(({ name }) => name),
  );
});

test("what the guide links to is there, with its headings", () => {
  const folder = new URL("../../../docs/guide/", import.meta.url);
  for (const name of ["README", ...pages.map((page) => page.name)]) {
    const own = readFileSync(new URL(`${name}.md`, folder), "utf8");
    const prose = own.replace(/^```[\s\S]*?^```$/gm, "");
    for (const [, path = "", heading] of prose.matchAll(/\]\(([^)#:]*)(?:#([^)]+))?\)/g)) {
      const text = path === "" ? own : readFileSync(new URL(path, folder), "utf8");
      const isThere = heading === undefined || headingsOf(text).includes(heading);
      assert.ok(isThere, `${name}.md: ${path}#${heading}`);
    }
  }
});

/** As GitHub makes anchors of them. */
function headingsOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
}

for (const { page, steps: following } of followed) {
  test(`${page.path} does what it says`, async () => {
    const steps = await following;
    assert.ok(steps.length > 0, "a page without a command");
    for (const step of steps) {
      const said = `${step.place}\n${step.stderr.join("\n")}`;
      assert.is(step.code, step.promisedCode, said);
      if (step.promisedStdout !== undefined) assert.equal(step.stdout, step.promisedStdout, said);
      assert.is(missingLine(step), undefined, said);
    }
  });
}

/** The first of the promised lines that is not there behind those before it. */
function missingLine({ stderr, promisedLogs }: FollowedStep): string | undefined {
  let from = 0;
  for (const line of promisedLogs) {
    const at = stderr.indexOf(line, from);
    if (at < 0) return line;
    from = at + 1;
  }
  return undefined;
}

test.run();
