import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { errorDetail } from "../../dist/logs/error-detail.js";
import { sourcePlace } from "../../dist/logs/source-place.js";

/** Line 1 of the program is line 3 of src/tasks.ts, at every column. */
const MAP = { version: 3, sources: ["src/tasks.ts"], names: [], mappings: "AAEA" };
const COMMENT = "//# sourceMappingURL=";

test("places come from a map beside the program, or inline in it", async () => {
  const folder = await temporaryFolder();
  const beside = join(folder, "beside.cjs");
  writeFileSync(beside, `throw 1;\n${COMMENT}beside.cjs.map\n`);
  writeFileSync(`${beside}.map`, JSON.stringify(MAP));
  assert.equal(sourcePlace(beside, 1, 1), { file: join(folder, "src/tasks.ts"), line: 3 });
  assert.equal(sourcePlace(pathToFileURL(beside).href, 1, 5).line, 3);

  const inline = join(folder, "inline.mjs");
  const rooted = { ...MAP, sourceRoot: pathToFileURL("/project/").href };
  const data = Buffer.from(JSON.stringify(rooted)).toString("base64");
  writeFileSync(inline, `throw 1;\n${COMMENT}data:application/json;base64,${data}\n`);
  assert.equal(sourcePlace(inline, 1, 1), { file: "/project/src/tasks.ts", line: 3 });
});

test("a place without a map, or with one that cannot be read, stays what it is", async () => {
  const folder = await temporaryFolder();
  const plain = join(folder, "plain.js");
  writeFileSync(plain, "throw 1;\n");
  assert.equal(sourcePlace(plain, 7, 1), { file: plain, line: 7 });
  const broken = join(folder, "broken.js");
  writeFileSync(broken, `throw 1;\n${COMMENT}data:application/json,{nonsense\n`);
  assert.equal(sourcePlace(broken, 7, 1), { file: broken, line: 7 });
  assert.equal(sourcePlace("/no/such/file.js", 7, 1), { file: "/no/such/file.js", line: 7 });
  assert.equal(sourcePlace("src/tasks.ts", 7, 1), { file: "src/tasks.ts", line: 7 });
  assert.equal(sourcePlace("node:internal/x", 7, 1), { file: "node:internal/x", line: 7 });
});

test("an error has the shape that Python's errors have, with mapped frames", async () => {
  const program = join(await temporaryFolder(), "p.cjs");
  writeFileSync(program, `x\n${COMMENT}p.map\n`);
  writeFileSync(join(program, "..", "p.map"), JSON.stringify(MAP));
  const error = Object.assign(new RangeError("far", { cause: "text" }), { code: "E7", of: {} });
  error.stack = `RangeError: far\n    at async deep (${program}:1:9)\n    at ${program}:1:2`;
  const file = join(program, "../src/tasks.ts");
  assert.equal(errorDetail(error), [
    {
      exc_type: "RangeError",
      exc_value: "far",
      exc_notes: ["code: E7"],
      syntax_error: null,
      is_cause: false,
      frames: [
        { filename: file, lineno: 3, name: "<anonymous>" },
        { filename: file, lineno: 3, name: "deep" },
      ],
      is_group: false,
      exceptions: [],
    },
    {
      exc_type: "thrown string",
      exc_value: "text",
      exc_notes: [],
      syntax_error: null,
      is_cause: true,
      frames: [],
      is_group: false,
      exceptions: [],
    },
  ]);
});

test.run();
