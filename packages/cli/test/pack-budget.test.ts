import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ArgvCoordinator, type LogRecord, MemoryTaskStore } from "@parlance/coordinator";
import { temporaryFolder } from "@parlance/test-kit";
import { build, type Metafile } from "esbuild";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { PACKAGE } from "./support/cli.ts";

// What the smallest task costs before its first line runs. A budget that is passed is a question
// first: does every task need what was added? `await import(…)` keeps it out of the start.

const BUDGET = {
  /** What is loaded and run at the start, as it is packed: not minified. */
  eagerBytes: 290_000,
  eagerModules: 160,
  /** With what is only loaded when a task asks for it. */
  allBytes: 410_000,
  minifiedBytes: 190_000,
};

/** Not for a task that does nothing special: of our packages, and of Node. */
const NOT_AT_START = [
  /sdk-node\/dist\/(?:testing|pino)/,
  /sdk-node\/dist\/launch\/(?:answer-question|usage)/,
  /sdk-node\/dist\/lookups\/connection/,
  /node_modules\/(?!.*node_modules\/@parlance\/)/,
];
const NOT_OF_NODE =
  /^(?:https?|http2|tls|_http_|_tls_|dgram|dns|child_process|worker_threads|internal\/worker$|perf_hooks|inspector|readline|repl|zlib|cluster|tty|wasi|test)/;

const folder = temporaryFolder();
mkdirSync(join(folder, "node_modules/@parlance"), { recursive: true });
symlinkSync(join(PACKAGE, "../sdk-node"), join(folder, "node_modules/@parlance/sdk-node"));
writeFileSync(
  join(folder, "tasks.ts"),
  `import { Bundle, serve } from "@parlance/sdk-node";
serve(new Bundle().task("d", "t", async () => "hello, world"));
`,
);

interface Bundled {
  readonly metafile: Metafile;
  readonly bytes: number;
  readonly file: string;
}

async function bundle(minify: boolean): Promise<Bundled> {
  const file = join(folder, `program-${minify}.cjs`);
  const { metafile } = await build({
    entryPoints: [join(folder, "tasks.ts")],
    absWorkingDir: folder,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    keepNames: true,
    minify,
    metafile: true,
    logLevel: "silent",
    outfile: file,
  });
  const [output] = Object.values(metafile.outputs);
  return { metafile, bytes: output?.bytes ?? 0, file };
}

/** Modules that are run when the program is loaded, with their bytes in it. */
function eagerModules({ inputs, outputs }: Metafile): ReadonlyMap<string, number> {
  const [output] = Object.values(outputs);
  const eager = new Map<string, number>();
  const add = (path: string): void => {
    const input = inputs[path];
    if (input === undefined || eager.has(path)) return;
    eager.set(path, output?.inputs[path]?.bytesInOutput ?? 0);
    for (const { path: imported, kind, external } of input.imports) {
      if (kind !== "dynamic-import" && external !== true) add(imported);
    }
  };
  add("tasks.ts");
  return new Map([...eager].filter(([, bytes]) => bytes > 0));
}

test("the smallest program keeps to its budget, and loads nothing that it does not use", async () => {
  const { metafile, bytes, file } = await bundle(false);
  const eager = eagerModules(metafile);
  const eagerBytes = [...eager.values()].reduce((sum, size) => sum + size, 0);
  console.log(`# ${eagerBytes} bytes of ${eager.size} modules at the start, ${bytes} in all`);
  for (const path of eager.keys()) {
    const bad = NOT_AT_START.find((pattern) => pattern.test(path));
    assert.is(bad, undefined, `${path} is loaded at the start`);
  }
  assert.ok(eagerBytes <= BUDGET.eagerBytes, `${eagerBytes} bytes at the start`);
  assert.ok(eager.size <= BUDGET.eagerModules, `${eager.size} modules at the start`);
  assert.ok(bytes <= BUDGET.allBytes, `${bytes} bytes in all`);
  const parts = Object.entries(Object.values(metafile.outputs)[0]?.inputs ?? {});
  const ofDags = parts.filter(
    ([path, part]) => /sdk-node\/dist\/dag\//.test(path) && part.bytesInOutput > 0,
  );
  assert.equal(ofDags, [], "a program without dag() carries nothing of it");
  const { bytes: minified } = await bundle(true);
  console.log(`# ${minified} bytes minified`);
  assert.ok(minified <= BUDGET.minifiedBytes, `${minified} bytes minified`);

  const loaded = await modulesOfNode(file);
  const bad = loaded.filter((name) => NOT_OF_NODE.test(name));
  assert.equal(bad, [], "modules of Node that no minimal task needs");
});

/** What Node loads of its own for a whole task. */
async function modulesOfNode(program: string): Promise<readonly string[]> {
  const trace = join(folder, "trace.cjs");
  writeFileSync(
    trace,
    `const fs = require("node:fs");
process.on("exit", () => {
  const names = process.moduleLoadList.filter((name) => name.startsWith("NativeModule "));
  fs.writeSync(2, "LOADED " + names.map((name) => name.slice(13)).join(" ") + "\\n");
});
`,
  );
  const logs: LogRecord[] = [];
  const argv = [process.execPath, "-r", trace, program];
  const result = await new ArgvCoordinator({ argv, startupTimeoutMs: 120_000 }).executeTask({
    taskInstance: { dagId: "d", taskId: "t", runId: "r", tryNumber: 1 },
    store: new MemoryTaskStore(),
    logSink: { write: (record) => void logs.push(record) },
  });
  assert.is(result.finalState, "success");
  const line = logs.map(({ event }) => String(event)).find((text) => text.startsWith("LOADED "));
  return (line ?? "").split(" ").slice(1);
}

test.run();
