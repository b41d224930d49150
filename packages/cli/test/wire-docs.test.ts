import { readFileSync } from "node:fs";
import { decodeFooter } from "@parlance/bundle";
import { decodeRequestFrame, decodeResponseFrame, FrameDecoder } from "@parlance/framing";
import { fromHex } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

// docs/wire.md shows bytes and, below them, what they mean.

const page = readFileSync(new URL("../../../docs/wire.md", import.meta.url), "utf8");
const EXAMPLE = /^```hex (\S+)\n([\s\S]*?)^```\n+```json\n([\s\S]*?)^```$/gm;
const examples = [...page.matchAll(EXAMPLE)].map(([, kind = "", dump = "", meaning = ""]) => ({
  kind,
  bytes: fromHex(dump.replace(/;.*$/gm, "").replace(/\s/g, "")),
  meaning: JSON.parse(meaning) as unknown,
}));

function read(kind: string, bytes: Uint8Array): unknown {
  // Any file that is long enough will do: a footer counts the regions from its end.
  if (kind === "footer") return decodeFooter(bytes, 1_000_000).footer;
  const decoder = new FrameDecoder({ maxFrameBytes: 1000 });
  const [payload = new Uint8Array()] = decoder.push(bytes);
  decoder.end();
  return kind === "to-task" ? decodeResponseFrame(payload) : decodeRequestFrame(payload);
}

for (const [index, { kind, bytes, meaning }] of examples.entries()) {
  test(`the bytes of docs/wire.md mean what it says: ${kind}, ${index + 1}`, () => {
    assert.equal(read(kind, bytes), meaning);
  });
}

test("no example of docs/wire.md is left out", () => {
  assert.is(examples.length, page.match(/^```hex/gm)?.length);
  assert.equal([...new Set(examples.map(({ kind }) => kind))].sort(), [
    "footer",
    "to-supervisor",
    "to-task",
  ]);
});

test.run();
