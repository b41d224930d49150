import { test } from "uvu";
import { goldenTests } from "./support/golden-tests.ts";

goldenTests(test, {
  kind: "sqlite",
  files: [
    "json_values",
    "json_states",
    "json_sequences",
    "json_children",
    "json_groups",
    "json_legacy_and_broken",
  ],
  equalRows: 110,
});
goldenTests(test, { kind: "sqlite", files: ["json_extended"], extended: true, equalRows: 15 });

test.run();
