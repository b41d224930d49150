import type { Message } from "esbuild";

/** What the files of a program become: `esm` for Airflow's NodeCoordinator, else `commonjs`. */
export type ModuleKind = "commonjs" | "esm";

interface Advice {
  readonly pattern: RegExp;
  readonly text: string;
}

/** What an esbuild message means for a task author, where esbuild's own words leave that open. */
const ADVICE: readonly Advice[] = [
  {
    pattern: /Top-level await/,
    text:
      "Move the await into a task handler or an async function: this bundle is CommonJS, which has no top-level await. " +
      "(--format node makes an ES module, which has.)",
  },
  {
    pattern: /No loader is configured for "\.node"/,
    text:
      "A native module can't go into a bundle: the system loads it from a file of its own. " +
      "Use a package without one, or leave that work to a task in Python.",
  },
  {
    pattern: /No loader is configured for "\.wasm"/,
    text: 'Import its bytes: import wasm from "./x.wasm" with { type: "bytes" }; new WebAssembly.Module(wasm).',
  },
  {
    pattern: /No loader is configured for/,
    text: 'Say as what to import it: import text from "./query.sql" with { type: "text" }, or "bytes".',
  },
  {
    pattern: /Could not resolve "@parlance\/sdk-node"/,
    text: "Install it beside the entry: npm install @parlance/sdk-node.",
  },
  { pattern: /Could not resolve/, text: "Install the package beside the entry, or mend the path." },
];

/** A message of esbuild with its place, and what to do about it. */
export function explain(message: Message): string {
  const advice = ADVICE.find(({ pattern }) => pattern.test(message.text))?.text;
  return advice === undefined ? describe(message) : `${describe(message)}\n  ${advice}`;
}

/** A message of esbuild with its place. */
export function describe(message: Message): string {
  const place = message.location;
  if (place === null) return message.text;
  return `${place.file}:${place.line}:${place.column + 1}: ${message.text}`;
}
