import { test } from "uvu";
import { goldenTests } from "./support/golden-tests.ts";

for (const [serializer, equalRows] of [
  ["yaml", 113],
  ["msgpack", 112],
] as const) {
  const files = [`${serializer}_all`, `${serializer}_groups`];
  goldenTests(test, { kind: "sqlite", files, extended: true, serializer, equalRows });
}

test.run();
