import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createSerializer, type SerializerName } from "@parlance/results";
import { load, requirePeer, toHex } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { fromNeutral, type Neutral, sorted, toNeutral } from "./support/neutral-values.ts";
import { type Abilities, RandomValues } from "./support/random-values.ts";

const SCRIPT = fileURLToPath(
  new URL("../../test/results/support/kombu_values.py", import.meta.url),
);
const EXACT = { wrapFloats: true, keepKeyOrder: true };
const ALL: Abilities = {
  dates: true,
  tags: true,
  loneSurrogates: true,
  bigInts: true,
  anyKeys: false,
};
const ABILITIES: Readonly<Record<SerializerName, Abilities>> = {
  json: ALL,
  yaml: { ...ALL, tags: false, anyKeys: true },
  msgpack: { ...ALL, dates: false, tags: false, loneSurrogates: false, bigInts: false },
};
const SEED = Number(process.env["PARLANCE_SEED"] ?? Date.now() % 2 ** 31);

interface Answer {
  readonly hex?: string;
  readonly value?: Neutral;
  readonly error?: string;
}

const python = requirePeer(test, "our serializers against the real kombu", "celery-5.7.0");
if (python !== undefined) {
  for (const name of Object.keys(ABILITIES) as SerializerName[]) {
    test(`${name}: random values are the same bytes and the same values as in kombu`, async () => {
      const random = new RandomValues(SEED, ABILITIES[name]);
      await compare(
        python,
        name,
        Array.from({ length: load(20_000) }, () => random.value()),
      );
    });
  }

  test("json and yaml: random floats have the digits that Python gives them", async () => {
    const random = new RandomValues(SEED + 1, ALL);
    const floats = Array.from({ length: load(4000) }, () => ({
      l: Array.from({ length: 50 }, () => random.float()),
    }));
    await compare(python, "json", floats);
    await compare(python, "yaml", floats.slice(0, load(1000)));
  });
}

async function compare(
  python: string,
  name: SerializerName,
  values: readonly Neutral[],
): Promise<void> {
  const serializer = await createSerializer(name, EXACT);
  const hexes = values.map((value) => toHex(serializer.encode(fromNeutral(value))));
  const answers = ask(python, name, values, hexes);
  assert.is(answers.length, values.length);
  const order = name === "yaml" ? sorted : (value: Neutral) => value;
  for (const [at, answer] of answers.entries()) {
    const value = values[at] as Neutral;
    const hex = hexes[at] as string;
    const what = `seed ${SEED}, value ${at}: ${JSON.stringify(value)}`;
    assert.is(answer.error, undefined, what);
    assert.is(Buffer.from(hex, "hex").toString("latin1"), fromHexText(answer.hex), what);
    const read = toNeutral(serializer.decode(Buffer.from(hex, "hex")));
    assert.equal(order(read), order(answer.value as Neutral), what);
  }
}

function ask(
  python: string,
  name: SerializerName,
  values: readonly Neutral[],
  hexes: readonly string[],
): Answer[] {
  const input = values.map((value, at) => JSON.stringify({ value, hex: hexes[at] })).join("\n");
  const { stdout, stderr, status } = spawnSync(python, [SCRIPT, name], {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  assert.is(status, 0, stderr);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer);
}

function fromHexText(hex: string | undefined): string {
  return Buffer.from(hex ?? "", "hex").toString("latin1");
}

test.run();
