import { chmod, copyFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { CliError, ExitCode } from "../../errors.ts";
import { runTool, type ToolOptions } from "../run-tool.ts";
import type { NodeBinary } from "./node-binary.ts";
import { SENTINEL_FUSE } from "./scan-node.ts";

/** The name of a single executable's program in its folder, and in stacks. */
export const SEA_PROGRAM = "program.cjs";

/** What making a single executable goes with. */
export interface MakeSeaOptions {
  /** A folder of its own. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  /** Gets a line for each step that takes time. */
  readonly progress: (line: string) => void;
}

/**
 * Puts a program into a copy of a Node binary (a "single executable application" of Node.js). No
 * snapshot and no code cache: a snapshot can hold no sockets, and a cache, which would save 9 of 99 ms
 * (measured, to the end of --describe), is refused as soon as the worker's NODE_OPTIONS set a flag of
 * V8, --max-old-space-size for one, with a warning in the log of each task.
 *
 * @param program - CommonJS
 * @returns the executable's path
 * @throws CliError `cannot-inject` (1), `interrupted` (1)
 */
export async function makeSea(
  program: string,
  node: NodeBinary,
  { folder, env, signal, progress }: MakeSeaOptions,
): Promise<string> {
  const tool: ToolOptions = {
    cwd: folder,
    env: { ...env, NODE_OPTIONS: "" },
    ...(signal === undefined ? {} : { signal }),
  };
  const config = { main: SEA_PROGRAM, output: "blob", disableExperimentalSEAWarning: true };
  await writeFile(join(folder, SEA_PROGRAM), program);
  await writeFile(join(folder, "sea.json"), JSON.stringify(config));
  const preparer = node.runsHere ? node.path : process.execPath;
  await run("prepare the program", [preparer, "--experimental-sea-config", "sea.json"], tool);
  progress(`copying Node.js ${node.version} (${Math.round(node.bytes / 1e6)} MB)`);
  const executable = join(folder, "executable");
  await copyFile(node.path, executable);
  await chmod(executable, 0o755);
  if (node.isMachO)
    await run("remove the signature", ["codesign", "--remove-signature", executable], tool);
  progress("putting the program into it");
  await run("put the program into Node.js", injectCommand(executable, node), tool);
  if (node.isMachO) await run("sign it", ["codesign", "--sign", "-", executable], tool);
  return executable;
}

/** postject is a process of its own: it takes 700 MB of memory, and over how the process ends. */
function injectCommand(executable: string, { isMachO }: NodeBinary): string[] {
  const postject = createRequire(import.meta.url).resolve("postject/dist/cli.js");
  const segment = isMachO ? ["--macho-segment-name", "NODE_SEA"] : [];
  const flags = ["--sentinel-fuse", SENTINEL_FUSE, ...segment];
  return [process.execPath, postject, executable, "NODE_SEA_BLOB", "blob", ...flags];
}

async function run(what: string, argv: readonly string[], options: ToolOptions): Promise<void> {
  const { why, stdout, stderr } = await runTool(argv, options);
  if (why === "") return;
  const said = `${stdout}\n${stderr}`.trim().slice(-2000);
  const message = `Cannot ${what}: ${argv[0]} ended with ${why}${said === "" ? "." : `:\n${said}`}`;
  throw new CliError("cannot-inject", message, ExitCode.failed);
}
