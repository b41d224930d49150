import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PACKAGE } from "./cli.ts";

/** A WebAssembly module that exports `add(i32, i32)`. */
const ADD_WASM =
  "0061736d0100000001070160027f7f017f030201000707010361646400000a09010700200020016a0b";

/** Of each kind of thing that a TypeScript project has one: files by their path. */
const FILES: Readonly<Record<string, string | Uint8Array>> = {
  "package.json": '{"type":"module"}',
  "tsconfig.json":
    '{"compilerOptions":{"experimentalDecorators":true,"paths":{"@lib/*":["./lib/*"]}}}',
  "node_modules/cjs-package/package.json": '{"name":"cjs-package","main":"./main.js"}',
  "node_modules/cjs-package/main.js":
    'const os = require("os");\n' +
    "exports.eol = () => os.EOL;\n" +
    "exports.place = () => [__filename, __dirname];\n" +
    'exports.lazy = () => require("./lazy.js");\n' +
    "exports.load = (name) => require(name).sep;\n",
  "node_modules/cjs-package/lazy.js": 'module.exports = "lazy";\n',
  "lib/aliased.ts": 'export const aliased: string = "aliased";\n',
  "src/settings.json": '{"name":"settings"}',
  "src/binary.bin": Uint8Array.of(0xff, 0xfe, 0x00),
  "src/query.sql": "select 1;\n",
  "src/add.wasm": Buffer.from(ADD_WASM, "hex"),
  "src/later.ts": 'export const later: string = "later";\n',
  "src/worker.ts":
    'import { parentPort, workerData } from "node:worker_threads";\n' +
    'import { aliased } from "@lib/aliased";\n' +
    'parentPort?.postMessage(aliased + " " + (workerData as string));\n',
  "src/decorated.ts":
    "function named(target: object, key: string) {\n" +
    '  Object.defineProperty(target, "decorated", { value: key });\n' +
    "}\n" +
    "export class Decorated {\n  declare decorated: string;\n  @named field = 1;\n}\n" +
    "export enum Level {\n  Low = 1,\n  High,\n}\n",
  "src/tasks.ts": `import { Worker } from "node:worker_threads";
import { Bundle, serve } from "@parlance/sdk-node";
import { aliased } from "@lib/aliased";
import cjs from "cjs-package";
import wasm from "./add.wasm" with { type: "bytes" };
import binary from "./binary.bin" with { type: "bytes" };
import { Decorated, Level } from "./decorated.ts";
import sql from "./query.sql" with { type: "text" };
import settings from "./settings.json" with { type: "json" };

const bundle = new Bundle();

bundle.task("d", "everything", async () => {
  const { later } = await import("./later.ts");
  const { sep } = await import("node:path");
  const { exports } = await WebAssembly.instantiate(await WebAssembly.compile(wasm));
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: "worker" });
  const message = await new Promise((resolve, reject) => {
    worker.on("message", resolve).on("error", reject);
  });
  return {
    cjs: [cjs.eol(), cjs.lazy(), cjs.load("path")],
    values: [aliased, settings.name, sql, Level.High, new Decorated().decorated, later, sep, message],
    binary: [...binary],
    sum: (exports as { add(a: number, b: number): number }).add(2, 3),
    isStrictAboutPlace: cjs.place().every((place: string) => place.length > 1),
    name: (function named() {}).name,
  };
});

bundle.task("d", "place", async () => [
  import.meta.url,
  import.meta.filename,
  import.meta.dirname,
  ...cjs.place(),
  process.argv[1],
]);

bundle.task("d", "fails", async () => {
  throw new TypeError("no rows");
});

serve(bundle);
`,
};

/** The line of `throw` in its task `fails`. */
export const FAILING_LINE = "src/tasks.ts:40";

/** What its task `everything` returns, whatever it is packed as. */
export const EVERYTHING = {
  cjs: ["\n", "lazy", "/"],
  values: ["aliased", "settings", "select 1;\n", 2, "field", "later", "/", "aliased worker"],
  binary: [255, 254, 0],
  sum: 5,
  isStrictAboutPlace: true,
  name: "named",
};

/** Writes the project; its entry is `src/tasks.ts`. */
export function writePackProject(folder: string): void {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  mkdirSync(join(folder, "node_modules/@parlance"));
  symlinkSync(join(PACKAGE, "../sdk-node"), join(folder, "node_modules/@parlance/sdk-node"));
}
