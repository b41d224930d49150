import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { build } from "esbuild";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { PACKAGE, parlance } from "./support/cli.ts";

// A program that another bundler has made, started as it is: the runtime itself finds the map.

const folder = temporaryFolder();
mkdirSync(join(folder, "src"));
mkdirSync(join(folder, "node_modules/@parlance"), { recursive: true });
symlinkSync(join(PACKAGE, "../sdk-node"), join(folder, "node_modules/@parlance/sdk-node"));
writeFileSync(
  join(folder, "src/tasks.ts"),
  `import { Bundle, serve } from "@parlance/sdk-node";

interface Row {
  readonly id: number;
}
function load(): readonly Row[] {
  throw new TypeError("no rows", { cause: new Error("no table") });
}
serve(new Bundle().task("d", "t", async () => load().length));
`,
);

interface Exception {
  readonly exc_type: string;
  readonly is_cause: boolean;
  readonly frames: readonly { readonly filename: string; readonly lineno: number }[];
}

for (const sourcemap of ["inline", "linked"] as const) {
  test(`an error's frames are lines of the source, with a map that is ${sourcemap}`, async () => {
    const outfile = join(folder, "out", `${sourcemap}.mjs`);
    await build({
      entryPoints: [join(folder, "src/tasks.ts")],
      bundle: true,
      platform: "node",
      format: "esm",
      minify: true,
      sourcemap,
      outfile,
      banner: {
        js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
      },
    });
    const words = ["run", "--dag", "d", "--task", "t", "--json", "--", process.execPath, outfile];
    const run = await parlance(words);
    const [task] = (
      JSON.parse(run.stdout) as { tasks: [{ logs: { error_detail?: Exception[] }[] }] }
    ).tasks;
    const [error, cause] = task.logs.find((record) => record.error_detail)?.error_detail ?? [];
    assert.equal([error?.exc_type, error?.is_cause], ["TypeError", false]);
    assert.equal([cause?.exc_type, cause?.is_cause], ["Error", true]);
    const places = error?.frames.map(({ filename, lineno }) => `${filename}:${lineno}`);
    assert.equal(places, [`${folder}/src/tasks.ts:9`, `${folder}/src/tasks.ts:7`]);
  });
}

test.run();
