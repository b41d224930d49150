// The pages of docs/guide, which are compiled by `npm run check` and followed by the tests. A comment
// before a block says what it is:
//
//   <!-- file: src/tasks.ts -->      a file of the reader's project, written before the first command
//   <!-- run -->                     commands, run in that project by a shell; `run: exit 1` says how they end
//   <!-- prints -->                  what the commands before it print on stdout
//   <!-- logs -->                    lines of what they say on stderr, in this order, others between them
//   <!-- airflow: 3.4.0b2 -->        configuration, which that Airflow reads
//   <!-- not run: WHY -->            what the tests leave alone
//
// Of what is printed and logged times are left out, at the beginning of a line and at its end.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./workspace.mjs";

const BLOCK = /^(?:<!-- (?<mark>[^\n]*?) -->\n)?```(?<language>\w*)\n(?<text>[\s\S]*?)^```$/gm;
const MARK = /^(?<kind>file|run|prints|logs|airflow|not run)(?:: (?<rest>.+))?$/;

/** Every page but the index, in the order of names: `{ name, path, markdown, blocks }`. */
export function readGuidePages() {
  const folder = join(ROOT, "docs/guide");
  const names = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md");
  return names.sort().map((file) => {
    const path = `docs/guide/${file}`;
    const markdown = readFileSync(join(ROOT, path), "utf8");
    return {
      name: file.replace(/\.md$/, ""),
      path,
      markdown,
      blocks: [...blocksOf(markdown, path)],
    };
  });
}

/** Each block: `{ kind, rest, language, text, line }`, the line being that of its first line, from 0. */
function* blocksOf(markdown, path) {
  for (const match of markdown.matchAll(BLOCK)) {
    const { mark, language, text } = match.groups;
    const start = match.index + match[0].indexOf("```");
    const line = markdown.slice(0, start).split("\n").length;
    const found = MARK.exec(mark ?? "")?.groups;
    if (found === undefined) {
      throw new Error(`${path}:${line}: a block of ${language || "text"} says not what it is`);
    }
    yield { kind: found.kind, rest: found.rest, language, text, line };
  }
}
