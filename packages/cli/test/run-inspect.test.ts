import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decode } from "@jridgewell/sourcemap-codec";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { PACKAGE } from "./support/cli.ts";
import { connectInspector } from "./support/inspector-client.ts";

const LINES = [
  'import { Bundle, serve } from "@parlance/sdk-node";',
  "interface Row {",
  "  readonly n: number;",
  "}",
  "const bundle = new Bundle();",
  'bundle.task("d", "t", async ({ context }) => {',
  "  const rows: Row[] = [{ n: 1 }, { n: 2 }];",
  "  const total = rows.reduce((sum, row) => sum + row.n, 0);",
  '  return [context.taskId, total].join(" ");',
  "});",
  "serve(bundle);",
];
/** Where the debugger is to stop; from 1. */
const LINE = 1 + LINES.findIndex((line) => line.includes("return"));

interface SourceMap {
  readonly sourceRoot: string;
  readonly sources: readonly string[];
  readonly mappings: string;
}

interface Place {
  readonly lineNumber: number;
  readonly columnNumber: number;
}

test("a debugger stops at a line of the TypeScript source, with its values", async () => {
  const { folder, entry } = project();
  const words = ["run", entry, "--dag", "d", "--task", "t", "--inspect-brk", "--json"];
  const child = spawn(process.execPath, [`${PACKAGE}bin/parlance.js`, ...words], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: "--inspect-port=0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  let stdout = "";
  child.stdout.on("data", (text) => {
    stdout += text;
  });
  const inspector = await connectInspector(await urlIn(child.stderr));
  await inspector.send("Runtime.enable");
  await inspector.send("Debugger.enable");
  await inspector.send("Runtime.runIfWaitingForDebugger");
  await inspector.event("Debugger.paused"); // at the first line of the program
  const script = await inspector.event("Debugger.scriptParsed", ({ sourceMapURL, url }) => {
    return sourceMapURL !== "" && String(url).startsWith("file:");
  });
  const map = mapOf(String(script["sourceMapURL"]));
  const [source] = map.sources.filter((path) => path.endsWith("src/tasks.ts"));
  assert.is(fileURLToPath(map.sourceRoot + source), entry, "the source lies where the map says");
  await inspector.send("Debugger.setBreakpoint", {
    location: { scriptId: script["scriptId"], ...generatedPlace(map, LINE) },
  });
  await inspector.send("Debugger.resume");
  const { callFrames } = await inspector.event("Debugger.paused");
  const [frame] = callFrames as [{ callFrameId: string; location: Place }];
  assert.is(sourceLine(map, frame.location), LINE);
  const evaluated = await inspector.send("Debugger.evaluateOnCallFrame", {
    callFrameId: frame.callFrameId,
    expression: "total + rows.length",
  });
  assert.is((evaluated["result"] as { value: unknown }).value, 5);
  await inspector.send("Debugger.resume");
  inspector.close(); // Node waits for its debugger to leave before it ends
  assert.is(await closed, 0);
  const [task] = (JSON.parse(stdout) as { tasks: [{ xcoms: unknown }] }).tasks;
  assert.equal(task.xcoms, { return_value: "t 3" });
});

function project() {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "src"));
  mkdirSync(join(folder, "node_modules/@parlance"), { recursive: true });
  symlinkSync(join(PACKAGE, "../sdk-node"), join(folder, "node_modules/@parlance/sdk-node"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const entry = join(folder, "src/tasks.ts");
  writeFileSync(entry, `${LINES.join("\n")}\n`);
  return { folder, entry };
}

/** What Node says when it listens for a debugger. */
async function urlIn(stderr: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    stderr.on("data", (text) => {
      said += text;
      const [url] = /ws:\/\/[^\s"]+/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    });
    stderr.on("end", () => reject(new Error(`no debugger is waited for: ${said}`)));
  });
}

function mapOf(url: string): SourceMap {
  return JSON.parse(Buffer.from(url.slice(url.indexOf(",") + 1), "base64").toString("utf8"));
}

/** Where a line of `src/tasks.ts` begins in the program, as the inspector counts. */
function generatedPlace({ mappings, sources }: SourceMap, line: number): Place {
  const wanted = sources.findIndex((path) => path.endsWith("src/tasks.ts"));
  for (const [lineNumber, segments] of decode(mappings).entries()) {
    for (const [columnNumber, source, original] of segments) {
      if (source === wanted && original === line - 1) return { lineNumber, columnNumber };
    }
  }
  throw new Error(`line ${line} is nowhere in the program`);
}

/** The line of the source at a place of the program. */
function sourceLine({ mappings }: SourceMap, { lineNumber, columnNumber }: Place): number {
  const segments = decode(mappings)[lineNumber] ?? [];
  const [, , line = -2] = segments.findLast(([column]) => column <= columnNumber) ?? [];
  return line + 1;
}

test.run();
