import { decodeFooter, encodeFooter, FOOTER_SIZE, MAX_REGION_BYTES } from "@parlance/bundle";
import { load, throws } from "@parlance/test-kit";
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";

const DIGEST = "0f".repeat(32);
const u32 = fc.integer({ min: 0, max: MAX_REGION_BYTES });

test("the regions fill the file without gaps, whatever the lengths", () => {
  fc.assert(
    fc.property(u32, u32, fc.integer({ min: 1, max: 2 ** 40 }), (source, metadata, executable) => {
      const bytes = encodeFooter({
        sourceLength: source,
        metadataLength: metadata,
        binarySha256: DIGEST,
      });
      const size = executable + source + metadata + FOOTER_SIZE;
      const { footer, regions } = decodeFooter(bytes, size);
      assert.equal(footer, {
        version: 1,
        sourceLength: source,
        metadataLength: metadata,
        binarySha256: DIGEST,
      });
      assert.equal(regions, {
        executable: { offset: 0, length: executable },
        source: { offset: executable, length: source },
        metadata: { offset: executable + source, length: metadata },
        footer: { offset: executable + source + metadata, length: FOOTER_SIZE },
      });
    }),
    { numRuns: load(2_000) },
  );
});

test("a file with no room for the executable is refused, and so is one with less", () => {
  fc.assert(
    fc.property(u32, u32, fc.nat(), (source, metadata, missing) => {
      const bytes = encodeFooter({
        sourceLength: source,
        metadataLength: metadata,
        binarySha256: DIGEST,
      });
      const size = Math.max(0, source + metadata + FOOTER_SIZE - missing);
      const code =
        size < FOOTER_SIZE ? "no-footer" : missing === 0 ? "no-executable" : "out-of-bounds";
      throws(() => decodeFooter(bytes, size), code);
    }),
    { numRuns: load(2_000) },
  );
});

test("one changed byte of version, reserved bytes or magic is refused", () => {
  const codes: [number, number, string][] = [
    [8, 12, "bad-version"],
    [44, 56, "reserved-bytes"],
    [56, 64, "no-footer"],
  ];
  for (const [from, to, code] of codes) {
    for (let at = from; at < to; at++) {
      const bytes = encodeFooter({ sourceLength: 1, metadataLength: 2, binarySha256: DIGEST });
      bytes[at] = (bytes[at] as number) ^ 0x10;
      throws(() => decodeFooter(bytes, 1000), code);
    }
  }
});

test("the footer of another length is none", () => {
  for (const length of [0, 63, 65]) {
    throws(() => decodeFooter(new Uint8Array(length), 1000), "no-footer");
  }
});

test("lengths that do not fit and digests that are none are not written", () => {
  const good = { sourceLength: 0, metadataLength: 0, binarySha256: DIGEST };
  throws(() => encodeFooter({ ...good, sourceLength: MAX_REGION_BYTES + 1 }), "too-large");
  throws(() => encodeFooter({ ...good, metadataLength: -1 }), "too-large");
  throws(() => encodeFooter({ ...good, metadataLength: 1.5 }), "too-large");
  throws(() => encodeFooter({ ...good, binarySha256: "ab" }), "digest-mismatch");
});

test.run();
