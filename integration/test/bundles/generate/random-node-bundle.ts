import { createHash } from "node:crypto";
import type { Random } from "../../airflow/support/random.ts";
import { MUTATIONS } from "./mutate.ts";
import type { GeneratedFile } from "./random-executable.ts";
import { randomJson } from "./random-json.ts";

const LAYOUT = "//# airflowBundle=";
const METADATA = "//# airflowMetadata=";

/** One embedded source: as it stands in the file, between its markers. */
export interface NodeSource {
  readonly path: string;
  readonly text: string;
  /** In place of the marker that belongs to the path. */
  readonly open?: string;
  readonly close?: string;
}

/** What a `.min.mjs` file is made of. */
export interface NodeParts {
  readonly metadata: string;
  readonly sources: readonly NodeSource[];
  readonly code: string;
  /** Changes the layout before it is written; its line must keep its length for the offsets to be right. */
  readonly layout?: (text: string) => string;
}

/** Writes the format by itself, so that a fault of our packer would show. */
export function assembleNode(parts: NodeParts): Buffer {
  const head = (offset: number): string => {
    const layout = JSON.stringify(layoutOf(parts, offset));
    return `${LAYOUT}${parts.layout?.(layout) ?? layout}\n`;
  };
  const offset = Buffer.byteLength(head(0)); // whatever the offsets are, their width is the same
  const embedded = parts.sources.map((source) => openOf(source) + source.text + closeOf(source));
  const metadata = `${METADATA}${parts.metadata}\n`;
  return Buffer.from(`${head(offset)}${metadata}${embedded.join("")}${parts.code}`);
}

function layoutOf(parts: NodeParts, offset: number): object {
  let at = offset + METADATA.length;
  const section = (text: string) => {
    const start = at;
    at += Buffer.byteLength(text);
    return { start: hex(start), end: hex(at), sha256: digest(text) };
  };
  const metadata = section(parts.metadata);
  at += 1;
  const sources = parts.sources.map((source) => {
    at += Buffer.byteLength(openOf(source));
    const told = { path: source.path, ...section(source.text) };
    at += Buffer.byteLength(closeOf(source));
    return told;
  });
  return { metadata, sources, code: section(parts.code) };
}

function openOf({ path, open }: NodeSource): string {
  return open ?? `/*# airflowSource:${path}\n`;
}

function closeOf({ close }: NodeSource): string {
  return close ?? "\n#*/\n";
}

/** A Node bundle: as it should be, odd, or damaged afterwards. */
export function randomNodeBundle(random: Random): GeneratedFile {
  const { text, dagIds } = randomJson(random);
  const parts: NodeParts = {
    metadata: text,
    sources: random.pick([
      [],
      [],
      [randomSource(random)],
      [randomSource(random), randomSource(random)],
    ]),
    code: random.pick(["export {};\n", "// é\n", "x", "console.log('*/');\n"]),
  };
  const kind = random.next();
  if (kind < 0.55) return { kind: "node", dagIds, bytes: assembleNode(parts) };
  if (kind < 0.72)
    return { kind: "layout", dagIds, bytes: assembleNode({ ...parts, layout: oddLayout(random) }) };
  const name = random.pick(Object.keys(MUTATIONS));
  return {
    kind: `node ${name}`,
    dagIds,
    bytes: MUTATIONS[name]?.(random, assembleNode(parts)) ?? Buffer.alloc(0),
  };
}

function randomSource(random: Random): NodeSource {
  const source = {
    path: random.pick(["a.ts", "src/b.ts", "é.ts", "a b", "\ud83d.ts", "x\u2028y", "q\"'\\"]),
    text: random.pick(["export {};", "a *\\/ b", "é", "\n", "a */ b", "#*/", "*\\\\", "\0"]),
  };
  return random.pick<NodeSource>([
    source,
    source,
    source,
    { ...source, path: "" },
    { ...source, open: "/*# airflowSource:other\n" },
    { ...source, close: "\n#*/" },
    { ...source, text: "" },
  ]);
}

/** Each is good or bad to a reader for a reason of its own. */
function oddLayout(random: Random): (text: string) => string {
  return random.pick<(text: string) => string>([
    (text) => text.replace("{", '{ "extra": [1, {"a": null}], '),
    (text) => text.replace("{", '{"extra": NaN, "more": [-Infinity], '),
    (text) => text.replace("{", `{"extra": ${"9".repeat(random.pick([20, 4000]))}, `),
    (text) => text.replace("{", '{"metadata": {"start": 1}, '),
    (text) => text.replace(/\}$/, ', "metadata": {"start": 1}}'),
    (text) => text.replace(/"start"/, '"begin"'),
    (text) => text.replace(/[a-f](?=[0-9a-f]*")/, (digit) => digit.toUpperCase()),
    (text) => text.replace(/"0([0-9a-f]{15})"/, '"$1"'),
    (text) => text.replace(/"([0-9a-f]{16})"/, (_, digits) => String(Number.parseInt(digits, 16))),
    (text) => text.replace(/"sources":\[[^\]]*\]/, '"sources":null'),
    (text) => text.replace(/"sources":\[[^\]]*\],/, ""),
    (text) => text.replace("{", "\ufeff{"),
    (text) => text.replace("{", "{\r"),
    (text) => text.replace("{", '{"\u2028":1,'),
    (text) => text.replace("{", '{"\\ud83d":1,'),
    (text) => text.replace(/\}$/, `}${" ".repeat(random.pick([1, 3000, 4000]))}`),
    (text) => `[${text}]`,
    (text) => text.slice(0, -1),
  ]);
}

function hex(offset: number): string {
  return offset.toString(16).padStart(16, "0");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
