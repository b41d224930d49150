import { createHash } from "node:crypto";
import { BundleError } from "../errors.ts";
import type { BundleSource } from "../metadata/create-metadata.ts";
import { formatMetadata, type MetadataInput } from "../metadata/format-metadata.ts";
import {
  LAYOUT_PREFIX,
  MAX_LAYOUT_LINE_BYTES,
  MAX_METADATA_LINE_BYTES,
  MAX_SOURCE_BYTES,
  METADATA_PREFIX,
  SOURCE_CLOSE,
  SOURCE_PREFIX,
} from "./node-layout.ts";

/** The parts of a Node bundle of Airflow 3.4. */
export interface NodeBundleParts {
  /** An ES module; its first line is the file's `codeLine`. Not empty. */
  readonly code: string | Uint8Array;
  /** As of `createMetadata`. */
  readonly metadata: { readonly [key: string]: MetadataInput };
  /** Files for Airflow to show, UTF-8, none of them empty; default none. */
  readonly sources?: readonly BundleSource[] | undefined;
}

/** A Node bundle as it is written to a file named `*.min.mjs`. */
export interface FormattedNodeBundle {
  readonly bytes: Uint8Array;
  /** How many lines stand before the code: what a source map has to count. */
  readonly linesBefore: number;
}

/** A section of the file while its place is not known yet. */
interface Section {
  readonly before: Buffer;
  readonly bytes: Buffer;
  readonly path?: string;
}

/**
 * Lays out a Node bundle, byte for byte as Airflow 3.4's reader demands.
 *
 * @throws BundleError `too-large` (the layout line over 4,096 bytes, which is about 25 sources; the
 *   metadata or a source over 1 MiB), `bad-sources` (an empty file, a path with a line end),
 *   `bad-layout` (no code), `bad-metadata`
 */
export function formatNodeBundle(parts: NodeBundleParts): FormattedNodeBundle {
  const { sources = [] } = parts;
  const code = Buffer.from(parts.code);
  if (code.length === 0) throw new BundleError("bad-layout", "A Node bundle can't have no code.");
  const metadata = Buffer.from(formatMetadata(parts.metadata));
  checkSize(metadata.length + METADATA_PREFIX.length + 1, MAX_METADATA_LINE_BYTES, "metadata line");
  const opened = sources.map(openSource);
  let close = "\n";
  const sections: Section[] = [{ before: Buffer.from(METADATA_PREFIX), bytes: metadata }];
  for (const { before, bytes, path } of opened) {
    sections.push({ before: Buffer.from(close + before), bytes, path });
    close = SOURCE_CLOSE;
  }
  sections.push({ before: Buffer.from(close), bytes: code });
  const layoutLength = Buffer.byteLength(layoutLine(sections, 0));
  checkSize(layoutLength, MAX_LAYOUT_LINE_BYTES, "layout line (fewer sources make it shorter)");
  const layout = Buffer.from(layoutLine(sections, layoutLength));
  const head = Buffer.concat([
    layout,
    ...sections.slice(0, -1).flatMap(({ before, bytes }) => [before, bytes]),
    Buffer.from(close),
  ]);
  return { bytes: Buffer.concat([head, code]), linesBefore: countLines(head) };
}

function layoutLine(sections: readonly Section[], offset: number): string {
  let at = offset;
  const places = sections.map(({ before, bytes, path }) => {
    const start = at + before.length;
    at = start + bytes.length;
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const place = { start: hex(start), end: hex(at), sha256 };
    return path === undefined ? place : { path, ...place };
  });
  const layout = { metadata: places[0], sources: places.slice(1, -1), code: places.at(-1) };
  // JSON may hold these two as they are; for the reader they end the line.
  const json = JSON.stringify(layout)
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
  return `${LAYOUT_PREFIX}${json}\n`;
}

function openSource({ path, data }: BundleSource): { before: string; bytes: Buffer; path: string } {
  const bytes = escapeSource(Buffer.from(data));
  const named = JSON.stringify(path.slice(0, 200));
  if (bytes.length === 0) {
    throw new BundleError(
      "bad-sources",
      `The source ${named} is empty; a Node bundle can't hold it.`,
    );
  }
  if (/[\r\n\u2028\u2029]|\*\//.test(path)) {
    const message = `The source path ${named} holds a line end or "*/", which ends its comment.`;
    throw new BundleError("bad-sources", message);
  }
  checkSize(bytes.length, MAX_SOURCE_BYTES, `source ${named}`);
  return { before: `${SOURCE_PREFIX}${path}\n`, bytes, path };
}

/** Keeps a source inside of its comment: the slash of a closing mark and a backslash after `*` get a backslash before. */
function escapeSource(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString("latin1").replace(/\*([\\/])/g, "*\\$1"), "latin1");
}

function checkSize(actual: number, most: number, what: string): void {
  if (actual <= most) return;
  const message = `The ${what} of a Node bundle has ${actual} bytes; Airflow reads ${most}.`;
  throw new BundleError("too-large", message);
}

function hex(offset: number): string {
  return offset.toString(16).padStart(16, "0");
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (const byte of bytes) if (byte === 0x0a) lines++;
  return lines;
}
