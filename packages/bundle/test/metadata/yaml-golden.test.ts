import { parseMetadataText } from "@parlance/bundle";
import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  assertReadAlike,
  canonical,
  canonicalOf,
  isMapRow,
  readRows,
} from "../support/yaml-rows.ts";

for (const name of ["yaml-scalars.json", "yaml-documents.json"]) {
  const rows = readRows(new URL(`../../test/data/${name}`, import.meta.url));
  test(`${name}: ${rows.length} texts are typed as PyYAML types them`, () => {
    assert.ok(rows.length > 200);
    for (const row of rows) assertReadAlike(row);
  });

  test(`${name}: the quick reader and the whole one agree`, () => {
    for (const row of rows) {
      // the mark before the text is skipped by YAML, and switches the quick reader off
      if (!isMapRow(row) || row.text.startsWith("\ufeff")) continue;
      const whole = canonicalOf(parseMetadataText(`\ufeff${row.text}`));
      assert.is(whole, canonical(row.ok), JSON.stringify(row.text.slice(0, 200)));
    }
  });
}

test.run();
