import { isUtf8 } from "node:buffer";
import { BundleError } from "../errors.ts";
import type { BundleRegion } from "../footer.ts";
import { readExactly } from "../hash-region.ts";
import { isMetadataMap, type MetadataValue } from "../metadata/values.ts";
import type { OpenFile } from "../open-file.ts";
import { parsePythonJson } from "./parse-python-json.ts";

/*
 * A Node bundle of Airflow 3.4 (`*.min.mjs`): an ES module behind comments.
 *
 *   //# airflowBundle=<layout, JSON>\n
 *   //# airflowMetadata=<metadata, JSON>\n
 *   /*# airflowSource:<path>\n<escaped source>\n#*\/\n      any number, nothing between
 *   <code, up to the end of the file>
 *
 * The layout tells start and end of each section as 16 hex digits, and its SHA-256.
 */

/** What every Node bundle begins with. */
export const LAYOUT_PREFIX = "//# airflowBundle=";
/** What the second line begins with. */
export const METADATA_PREFIX = "//# airflowMetadata=";
/** What a source's comment begins with; its path follows, and a line end. */
export const SOURCE_PREFIX = "/*# airflowSource:";
/** What ends a source's comment. */
export const SOURCE_CLOSE = "\n#*/\n";
/** With prefix and line end. */
export const MAX_LAYOUT_LINE_BYTES = 4096;
/** With prefix and line end. */
export const MAX_METADATA_LINE_BYTES: number = 1024 * 1024;
/** As it stands in the file, escaped. */
export const MAX_SOURCE_BYTES: number = 1024 * 1024;

/** A part of the file with the SHA-256 it should have, as 64 hex digits. */
export interface NodeSection extends BundleRegion {
  readonly sha256: string;
}

/** Where the parts of a Node bundle are, in bytes from the start of the file. */
export interface NodeLayout {
  readonly metadata: NodeSection;
  /** Escaped, as they stand in the file. */
  readonly sources: readonly (NodeSection & { readonly path: string })[];
  readonly code: NodeSection;
}

/**
 * Reads the layout and holds it against the file, as Airflow 3.4 does; digests are not computed.
 *
 * @throws BundleError `bad-layout`
 */
export function readNodeLayout(file: OpenFile): NodeLayout {
  const layoutLine = readLine(file, 0, LAYOUT_PREFIX, MAX_LAYOUT_LINE_BYTES);
  const layout = parseLayout(layoutLine.payload);
  const metadataLine = readLine(file, layoutLine.end, METADATA_PREFIX, MAX_METADATA_LINE_BYTES);
  expectAt(layout.metadata, metadataLine.start, metadataLine.end - 1, "metadata");
  let at = metadataLine.end;
  for (const source of layout.sources) at = checkSource(file, source, at);
  expectAt(layout.code, at, file.size, "code");
  return layout;
}

function expectAt(section: NodeSection, start: number, end: number, name: string): void {
  if (section.offset === start && section.offset + section.length === end) return;
  throw bad(
    `it puts the ${name} at ${section.offset} to ${section.offset + section.length}; it is at ${start} to ${end}`,
  );
}

/** Most lines are within this; for longer ones more is read. */
const LINE_BYTES = 2048;

function readLine(
  { fd, size }: OpenFile,
  offset: number,
  prefix: string,
  maxBytes: number,
): { readonly payload: Buffer; readonly start: number; readonly end: number } {
  const most = Math.min(maxBytes, size - offset);
  let bytes = readExactly(fd, offset, Math.min(most, LINE_BYTES));
  if (bytes.toString("latin1", 0, prefix.length) !== prefix) throw bad(`no line ${prefix}…`);
  let length = bytes.indexOf("\n");
  while (length < 0 && bytes.length < most) {
    bytes = readExactly(fd, offset, Math.min(most, bytes.length * 4));
    length = bytes.indexOf("\n");
  }
  if (length < 0) throw bad(`the line ${prefix}… has no end within ${maxBytes} bytes`);
  const payload = bytes.subarray(prefix.length, length);
  if (/[\r\u2028\u2029]/.test(payload.toString())) {
    throw bad(`the line ${prefix}… holds a line end of JavaScript; escape it in the JSON`);
  }
  return { payload, start: offset + prefix.length, end: offset + length + 1 };
}

function parseLayout(payload: Buffer): NodeLayout {
  let layout: MetadataValue;
  try {
    layout = isUtf8(payload) ? parsePythonJson(payload.toString()) : null;
  } catch (cause) {
    throw bad("the layout is no JSON", cause);
  }
  if (!isMetadataMap(layout)) throw bad("the layout is no JSON map");
  const list = layout.get("sources");
  if (!Array.isArray(list)) throw bad("the layout has no list `sources`");
  const sources = (list as MetadataValue[]).map((entry) => {
    const path = isMetadataMap(entry) ? entry.get("path") : undefined;
    if (typeof path !== "string" || path === "") throw bad("a source's path is no text, or empty");
    if (/\p{Surrogate}/u.test(path)) throw bad("a source's path holds half a character");
    return { path, ...section(entry, `source ${path}`) };
  });
  if (new Set(sources.map(({ path }) => path)).size < sources.length) {
    throw bad("two sources have the same path");
  }
  return {
    metadata: section(layout.get("metadata"), "metadata"),
    sources,
    code: section(layout.get("code"), "code"),
  };
}

function section(value: MetadataValue | undefined, name: string): NodeSection {
  if (!isMetadataMap(value)) throw bad(`the layout has no map for the ${name}`);
  const [start, end, sha256] = ["start", "end", "sha256"].map((key) => value.get(key));
  if (!isHex(start, 16) || !isHex(end, 16)) {
    throw bad(`start or end of the ${name} is not 16 lower-case hex digits`);
  }
  if (!isHex(sha256, 64)) throw bad(`the sha256 of the ${name} is not 64 lower-case hex digits`);
  const offset = Number.parseInt(start, 16);
  const length = Number.parseInt(end, 16) - offset;
  if (length <= 0) throw bad(`the ${name} is empty`);
  return { offset, length, sha256 };
}

/** Gives the place behind the source's comment. */
function checkSource(file: OpenFile, source: NodeLayout["sources"][number], at: number): number {
  const open = Buffer.from(`${SOURCE_PREFIX}${source.path}\n`);
  if (source.offset !== at + open.length) throw bad(`the source ${source.path} is somewhere else`);
  if (source.length > MAX_SOURCE_BYTES) {
    throw bad(`the source ${source.path} has ${source.length} bytes; at most ${MAX_SOURCE_BYTES}`);
  }
  const end = source.offset + source.length + SOURCE_CLOSE.length;
  if (end > file.size) throw bad(`the source ${source.path} reaches past the end of the file`);
  const bytes = readExactly(file.fd, at, end - at);
  if (!bytes.subarray(0, open.length).equals(open)) {
    throw bad(`the comment of the source ${source.path} does not name it`);
  }
  if (bytes.toString("latin1", bytes.length - SOURCE_CLOSE.length) !== SOURCE_CLOSE) {
    throw bad(`the comment of the source ${source.path} is not closed`);
  }
  const text = bytes.subarray(open.length, bytes.length - SOURCE_CLOSE.length);
  if (text.includes("*/")) throw bad(`the source ${source.path} closes its comment itself`);
  return end;
}

/** Undoes the escapes that keep a source inside of its comment. */
export function unescapeSource(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes)
    .toString("latin1")
    .replace(/\*\\([\\/])/g, "*$1");
  return Buffer.from(text, "latin1");
}

function isHex(value: unknown, digits: number): value is string {
  return typeof value === "string" && value.length === digits && /^[0-9a-f]*$/.test(value);
}

function bad(reason: string, cause?: unknown): BundleError {
  return new BundleError("bad-layout", `The layout of the Node bundle is unusable: ${reason}.`, {
    cause,
  });
}
