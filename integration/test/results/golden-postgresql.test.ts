import { test } from "uvu";
import { goldenTests } from "./support/golden-tests.ts";

goldenTests(test, {
  kind: "postgresql",
  files: ["postgresql_json", "postgresql_groups"],
  extended: true,
  equalRows: 125,
});

test.run();
