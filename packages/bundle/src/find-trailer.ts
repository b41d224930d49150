import { decodeFooter, FOOTER_MAGIC, FOOTER_SIZE } from "./footer.ts";
import { readExactly } from "./hash-region.ts";

const WINDOW_BYTES = 1 << 20;

/** A footer that is not at the end of its file. */
export interface LostTrailer {
  /** Where the 64 bytes start. */
  readonly offset: number;
  /** What follows them: its length, and its first bytes. */
  readonly trailingBytes: number;
  readonly trailing: Uint8Array;
}

/**
 * Looks backwards for a footer that other bytes follow, e.g. a signature or a line end. Only a
 * strictly good one counts: the magic alone may be text in a program.
 */
export function findLostTrailer(fd: number, fileSize: number): LostTrailer | undefined {
  const memory = Buffer.allocUnsafe(Math.min(fileSize, WINDOW_BYTES + FOOTER_SIZE));
  // Windows overlap by a footer, so that none is missed on an edge.
  for (let end = fileSize; end >= FOOTER_SIZE; end -= WINDOW_BYTES) {
    const start = Math.max(0, end - WINDOW_BYTES - FOOTER_SIZE);
    const window = readExactly(fd, start, end - start, memory);
    const found = searchWindow(window, start);
    if (found !== undefined) {
      const trailingBytes = fileSize - found - FOOTER_SIZE;
      const trailing = readExactly(fd, found + FOOTER_SIZE, Math.min(16, trailingBytes));
      return { offset: found, trailingBytes, trailing };
    }
  }
  return undefined;
}

function searchWindow(window: Buffer, start: number): number | undefined {
  let at = window.lastIndexOf(FOOTER_MAGIC);
  while (at >= 0) {
    const end = at + FOOTER_MAGIC.length;
    if (end >= FOOTER_SIZE && isFooter(window.subarray(end - FOOTER_SIZE, end), start + end)) {
      return start + end - FOOTER_SIZE;
    }
    if (at === 0) break;
    at = window.lastIndexOf(FOOTER_MAGIC, at - 1);
  }
  return undefined;
}

function isFooter(bytes: Uint8Array, end: number): boolean {
  try {
    decodeFooter(bytes, end);
    return true;
  } catch {
    return false;
  }
}

/** Names what follows a footer, and the mend. */
export function describeLostTrailer(lost: LostTrailer): string {
  const { offset, trailingBytes, trailing } = lost;
  const hex = Array.from(trailing, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  const more = trailingBytes > trailing.length ? " …" : "";
  const bytes = trailingBytes === 1 ? "1 byte follows" : `${trailingBytes} bytes follow`;
  return (
    `A footer starts at byte ${offset}, but ${bytes} it (${kindOf(trailing)}: ${hex}${more}). ` +
    "A footer must be the very end: strip and sign first, pack last."
  );
}

function kindOf(bytes: Uint8Array): string {
  if (bytes.every((byte) => byte === 10 || byte === 13)) return "line end";
  if (bytes.every((byte) => byte === 0)) return "padding";
  if (bytes[0] === 0x30 && (bytes[1] ?? 0) >= 0x80) return "it looks like a signature";
  return "unknown";
}
