import { test } from "uvu";
import { goldenTests } from "./support/golden-tests.ts";

goldenTests(test, {
  kind: "mariadb",
  files: ["mariadb_json", "mariadb_groups"],
  extended: true,
  equalRows: 125,
});

test.run();
