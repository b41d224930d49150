import { BundleError } from "./errors.ts";

/*
 * AFBNDL01, from the start of the file (all numbers little-endian):
 *
 *   0            sourceStart      metadataStart      size-64            size
 *   | executable | source (any)  | metadata (YAML)  | footer, 64 bytes |
 *
 *   footer:  0  u32  source length
 *            4  u32  metadata length
 *            8  u32  footer version = 1
 *           12  32   SHA-256 of the executable region
 *           44  12   zero
 *           56   8   "AFBNDL01"
 */

/** Size of the footer in bytes. */
export const FOOTER_SIZE = 64;
/** The only footer version there is. */
export const FOOTER_VERSION = 1;
/** The last eight bytes of a bundle. */
export const FOOTER_MAGIC = "AFBNDL01";
/** The longest source or metadata region that the footer can tell, in bytes. */
export const MAX_REGION_BYTES = 0xffff_ffff;

const VERSION_OFFSET = 8;
const DIGEST_OFFSET = 12;
const DIGEST_SIZE = 32;
const RESERVED_OFFSET = 44;
const MAGIC_OFFSET = 56;

/** What a footer says. Lengths are in bytes, the digest is 64 lower-case hex digits. */
export interface BundleFooter {
  readonly version: number;
  readonly sourceLength: number;
  readonly metadataLength: number;
  readonly binarySha256: string;
}

/** A part of the file, in bytes from its start. */
export interface BundleRegion {
  readonly offset: number;
  readonly length: number;
}

/** The four parts of a bundle, without gaps. */
export interface BundleRegions {
  readonly executable: BundleRegion;
  readonly source: BundleRegion;
  readonly metadata: BundleRegion;
  readonly footer: BundleRegion;
}

/**
 * Writes the 64 bytes of a footer.
 *
 * @throws BundleError `too-large` when a length does not fit in 32 bits, `bad-version` for any
 *   version but 1, `digest-mismatch` when the digest is not 64 hex digits
 */
export function encodeFooter(footer: Omit<BundleFooter, "version">): Uint8Array {
  for (const name of ["sourceLength", "metadataLength"] as const) {
    const length = footer[name];
    if (!Number.isInteger(length) || length < 0 || length > MAX_REGION_BYTES) {
      throw new BundleError(
        "too-large",
        `encodeFooter got ${name} ${length}; a region has 0 to ${MAX_REGION_BYTES} bytes.`,
      );
    }
  }
  if (!/^[0-9a-f]{64}$/i.test(footer.binarySha256)) {
    throw new BundleError("digest-mismatch", "encodeFooter wants a SHA-256 of 64 hex digits.");
  }
  const bytes = new Uint8Array(FOOTER_SIZE);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, footer.sourceLength, true);
  view.setUint32(4, footer.metadataLength, true);
  view.setUint32(VERSION_OFFSET, FOOTER_VERSION, true);
  for (let at = 0; at < DIGEST_SIZE; at++) {
    bytes[DIGEST_OFFSET + at] = Number.parseInt(footer.binarySha256.slice(at * 2, at * 2 + 2), 16);
  }
  for (let at = 0; at < FOOTER_MAGIC.length; at++) {
    bytes[MAGIC_OFFSET + at] = FOOTER_MAGIC.charCodeAt(at);
  }
  return bytes;
}

/** Whether bytes (64 or more, the last of a file) end with the magic. */
export function endsWithMagic(tail: Uint8Array): boolean {
  const start = tail.length - FOOTER_MAGIC.length;
  if (start < 0) return false;
  for (let at = 0; at < FOOTER_MAGIC.length; at++) {
    if (tail[start + at] !== FOOTER_MAGIC.charCodeAt(at)) return false;
  }
  return true;
}

/**
 * Reads a footer strictly and computes where the regions are; nothing is allocated for them.
 *
 * @param footer - the last 64 bytes of the file
 * @param fileSize - size of the whole file in bytes
 * @throws BundleError `no-footer`, `bad-version`, `reserved-bytes`, `out-of-bounds` or
 *   `no-executable`, checked in this order as stock Airflow does
 */
export function decodeFooter(
  footer: Uint8Array,
  fileSize: number,
): { readonly footer: BundleFooter; readonly regions: BundleRegions } {
  if (fileSize < FOOTER_SIZE) {
    throw new BundleError(
      "no-footer",
      `The file has ${fileSize} bytes, fewer than the ${FOOTER_SIZE} of a footer.`,
    );
  }
  if (footer.length !== FOOTER_SIZE || !endsWithMagic(footer)) {
    throw new BundleError("no-footer", `The file does not end with ${FOOTER_MAGIC}.`);
  }
  const view = new DataView(footer.buffer, footer.byteOffset, FOOTER_SIZE);
  const version = view.getUint32(VERSION_OFFSET, true);
  if (version !== FOOTER_VERSION) {
    throw new BundleError(
      "bad-version",
      `The footer has version ${version}; only version ${FOOTER_VERSION} is known.`,
    );
  }
  for (let at = RESERVED_OFFSET; at < MAGIC_OFFSET; at++) {
    if (footer[at] !== 0) {
      throw new BundleError(
        "reserved-bytes",
        `The footer's reserved byte ${at - RESERVED_OFFSET} is ${footer[at]}; all must be zero.`,
      );
    }
  }
  const sourceLength = view.getUint32(0, true);
  const metadataLength = view.getUint32(4, true);
  // Sums of three numbers below 2^53: exact.
  const footerOffset = fileSize - FOOTER_SIZE;
  const metadataOffset = footerOffset - metadataLength;
  const sourceOffset = metadataOffset - sourceLength;
  if (sourceOffset < 0) {
    throw new BundleError(
      "out-of-bounds",
      `The footer tells ${sourceLength} bytes of source and ${metadataLength} of metadata, ` +
        `more than the ${footerOffset} bytes before it.`,
    );
  }
  if (sourceOffset === 0) {
    throw new BundleError("no-executable", "The footer leaves no byte for the executable region.");
  }
  return {
    footer: { version, sourceLength, metadataLength, binarySha256: hexOf(footer) },
    regions: {
      executable: { offset: 0, length: sourceOffset },
      source: { offset: sourceOffset, length: sourceLength },
      metadata: { offset: metadataOffset, length: metadataLength },
      footer: { offset: footerOffset, length: FOOTER_SIZE },
    },
  };
}

function hexOf(footer: Uint8Array): string {
  const digest = Buffer.from(footer.buffer, footer.byteOffset + DIGEST_OFFSET, DIGEST_SIZE);
  return digest.toString("hex");
}
