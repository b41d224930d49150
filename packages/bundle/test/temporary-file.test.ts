import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "@parlance/bundle";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTemporaryFile, discardTemporaryFile } from "../dist/temporary-file.js";

/** The parts of a name that this process gives: `.parlance`, place, number, start, the rest. */
function ownName(folder: string): readonly [string, string, string, string] {
  const file = createTemporaryFile(folder, 0o600);
  const [, ...parts] = /\.parlance-(\w+)-(\d+)-(\d+)-(\w+)\.tmp$/.exec(file.path) ?? [];
  discardTemporaryFile(file);
  assert.is(parts.length, 4);
  return parts as unknown as readonly [string, string, string, string];
}

test("what a killed writer left is removed, and nothing else", async () => {
  const folder = temporaryFolder();
  const [place, pid, start, random] = ownName(folder);
  const isToldByStart = process.platform === "linux";
  const nobody = 2 ** 22 + 1; // above the greatest number that Linux gives
  const add = (name: string, ageHours = 0): string => {
    writeFileSync(join(folder, name), "");
    const at = Date.now() / 1000 - ageHours * 3600;
    utimesSync(join(folder, name), at, at);
    return name;
  };
  add(`.parlance-${place}-${nobody}-1-${random}.tmp`);
  if (isToldByStart) add(`.parlance-${place}-${pid}-4000000000-${random}.tmp`); // an older process of this number
  if (isToldByStart) add(`.parlance-${place}-1-4000000000-${random}.tmp`); // there is one, but another one
  add(`.parlance-00000000-${nobody}-1-${random}.tmp`, 25);
  const kept = [
    add(`.parlance-${place}-${pid}-${start}-${random}.tmp`), // at work
    add(`.parlance-00000000-${nobody}-1-${random}.tmp2`, 25),
    add(`.parlance-00000001-${nobody}-1-${random}.tmp`, 23), // elsewhere, may be at work
    add(".parlance-notes.tmp", 99),
    add("bundle", 99),
  ];
  await replaceFile({ out: join(folder, "out"), mode: 0o644 }, (put) => put(Buffer.from("x")));
  assert.equal(readdirSync(folder).sort(), [...kept, "out"].sort());
});

test.run();
