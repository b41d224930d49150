import { readFileSync } from "node:fs";
import { type FinalState, finalState } from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";

interface Row {
  readonly exit_code: number;
  readonly reported: FinalState | null;
  readonly retries_left: boolean;
  readonly final: FinalState;
}

for (const id of ["STA-01", "STA-02"]) {
  const url = new URL(`../../test/cases/${id}.json`, import.meta.url);
  const { title, expected } = JSON.parse(readFileSync(url, "utf8")) as {
    title: string;
    expected: Row[];
  };

  test(`${id}: ${title}`, () => {
    assert.ok(expected.length >= 12);
    for (const row of expected) {
      const outcome = {
        exitCode: row.exit_code,
        reported: row.reported,
        shouldRetry: row.retries_left,
      };
      assert.is(finalState(outcome), row.final, JSON.stringify(row));
    }
  });
}

test.run();
