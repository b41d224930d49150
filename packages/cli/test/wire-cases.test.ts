import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { codeOf, linesOf, wire } from "./support/wire.ts";

// The same files that framing is held to, here from the outside.
const FOLDER = new URL("../../framing/test/cases/", import.meta.url);

interface FrameCase {
  readonly id: string;
  readonly title: string;
  readonly input: {
    readonly direction: string;
    readonly chunks_hex: readonly (string | { readonly repeat: string; readonly count: number })[];
  };
  readonly expected: {
    readonly frames: readonly Record<string, unknown>[] | number;
    readonly value_sha256?: string;
  };
}

interface Decoded {
  readonly offset: number;
  readonly length: number;
  readonly id: number;
  readonly body: Record<string, unknown>;
  readonly error?: unknown;
  readonly carrier?: unknown;
}

const CODES: Readonly<Record<string, string>> = {
  "FRM-04": "truncated",
  "FRM-05": "truncated",
  "FRM-08": "truncated",
  "FRM-09": "not-msgpack",
  "FRM-18": "not-msgpack",
  "FRM-22": "bad-body",
  "FRM-24": "not-msgpack",
  "FRM-26": "trailing-bytes",
  "FRM-28": "bad-arity",
};

const names = readdirSync(FOLDER).filter((name) => name.startsWith("FRM-"));

for (const name of names) {
  const { id, title, input, expected } = readCase(name);
  test(`${id}: ${title}`, async () => {
    const bytes = Buffer.from(
      input.chunks_hex.map((c) => (typeof c === "string" ? c : c.repeat.repeat(c.count))).join(""),
      "hex",
    );
    const direction = input.direction === "runtime_to_supervisor" ? "to-supervisor" : "to-task";
    const argv = ["--direction", direction, "--json"];
    const run = await wire(["decode", ...argv], bytes, { pieceBytes: 1021 });
    assert.is(run.code, id in CODES ? 65 : 0, run.stderr);
    if (id in CODES) assert.is(codeOf(run), CODES[id]);
    const frames = linesOf<Decoded>(run);
    if (id === "FRM-12") assert.is(run.stdout.toString().split('{"a":').length - 1, 300);
    else if (typeof expected.frames !== "number") {
      assert.equal(frames.map(withoutPlace), expected.frames.map(withThird));
    } else {
      const digest = createHash("sha256").update(String(frames[0]?.body["v"])).digest("hex");
      assert.is(digest, expected.value_sha256);
    }
    // Written again and read again it is the same, with the elements that were left away.
    const again = await wire(["encode", ...argv], run.stdout);
    const reread = await wire(["decode", ...argv], again.stdout);
    assert.is(again.code, 0, again.stderr);
    assert.equal(linesOf<Decoded>(reread).map(withoutPlace), frames.map(withoutPlace));
  });
}

test("all 25 frame cases are here", () => {
  assert.is(names.length, 25);
});

function readCase(name: string): FrameCase {
  return JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")) as FrameCase;
}

function withoutPlace({ id, body, error, carrier }: Decoded): unknown {
  return { id, body, third: error ?? carrier ?? null };
}

function withThird(frame: Record<string, unknown>): unknown {
  const third = frame["error"] ?? frame["context_carrier"] ?? null;
  return { id: frame["id"], body: frame["body"], third };
}

test.run();
