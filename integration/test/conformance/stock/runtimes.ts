import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { SchemaVersion } from "@parlance/protocol";
import type { Launch } from "@parlance/test-kit";

/** A runtime, as the kit starts it and as stock does. */
export interface StockRuntime {
  readonly name: string;
  readonly argv: readonly string[];
  readonly env?: { readonly [name: string]: string };
  readonly launch: Launch;
  /** Cases to play: ids, or beginnings of ids. Default all. */
  readonly only?: readonly string[];
}

const root = (path: string): string =>
  fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const PARLANCE = root("packages/cli/bin/parlance.js");
const REFERENCE = root("integration/test/conformance/fixtures/reference");
const run = promisify(execFile);

/** Broken runtimes whose faults the real supervisor has to see, too. */
export const BROKEN: readonly string[] = [
  "exit-without-report",
  "exit-1-on-failure",
  "reports-skipped-as-success",
];

/** The example of `@parlance/sdk-node`, packed for a schema version. */
export async function nodeRuntime(folder: string, schema: SchemaVersion): Promise<StockRuntime> {
  const bundle = placeFor(folder, "node");
  const entry = root("examples/conformance/src/tasks.ts");
  await run(process.execPath, [
    PARLANCE,
    "pack",
    entry,
    "--out",
    bundle,
    "--schema-version",
    schema,
  ]);
  return { name: "node", argv: [bundle], launch: { bundlesRoot: join(bundle, "..") } };
}

/** The reference runtime in Go, packed for a schema version by `parlance bundle pack`. */
export async function goRuntime(folder: string, schema: SchemaVersion): Promise<StockRuntime> {
  const builders = pathToFileURL(root("scripts/lib/conformance-runtimes.mjs")).href;
  const { buildRuntime } = (await import(builders)) as {
    buildRuntime: (name: string, work: string) => Promise<{ argv?: string[]; missing?: string }>;
  };
  const { argv, missing } = await buildRuntime("go", folder);
  if (argv?.[0] === undefined) throw new Error(`the runtime in Go: ${missing}`);
  const bundle = placeFor(folder, "go");
  const parts = ["--executable", argv[0], "--out", bundle, "--schema-version", schema];
  await run(process.execPath, [PARLANCE, "bundle", "pack", "--repack", ...parts]);
  return { name: "go", argv: [bundle], launch: { bundlesRoot: join(bundle, "..") } };
}

/** Reference runtimes that are broken on purpose, with the cases that catch them. */
export async function brokenRuntimes(): Promise<readonly StockRuntime[]> {
  const { CAUGHT_BY } = (await import(pathToFileURL(join(REFERENCE, "caught-by.mjs")).href)) as {
    CAUGHT_BY: { readonly [mutant: string]: readonly string[] };
  };
  const program = [process.execPath, join(REFERENCE, "runtime.mjs")];
  return BROKEN.map((name) => ({
    name: `broken: ${name}`,
    argv: program,
    env: { MUTANT: name },
    launch: { argv: ["/usr/bin/env", `MUTANT=${name}`, ...program] },
    only: CAUGHT_BY[name] ?? [],
  }));
}

/** A bundle lies alone in its folder: that is what a coordinator is given. */
function placeFor(folder: string, name: string): string {
  const own = join(folder, `${name}-bundle`);
  mkdirSync(own, { recursive: true });
  return join(own, "conformance");
}
