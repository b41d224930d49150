import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { type Executable, readExecutable } from "@parlance/bundle";
import { buildChildEnvironment } from "@parlance/coordinator";
import { CliError, ExitCode } from "../../errors.ts";
import { runTool } from "../run-tool.ts";
import { type NodeScan, scanNode } from "./scan-node.ts";

/** The Node.js that a single executable is made of. */
export interface NodeBinary {
  readonly path: string;
  /** `20.20.2` */
  readonly version: string;
  /** False for one of another system or machine. */
  readonly runsHere: boolean;
  readonly isMachO: boolean;
  readonly bytes: number;
}

/** Where to look, and with which environment. */
export interface NodeBinaryOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
}

const HINT =
  "Give one that nodejs.org publishes: --node-binary node-v…-linux-x64/bin/node. Or pack --format executable, which uses the worker's own Node.js.";

/**
 * Looks at the Node binary that is to carry the program.
 *
 * @param given - its path; default the Node.js that runs this command
 * @throws CliError `bad-node-binary` (65) with the reason and what to do; `interrupted`
 */
export async function readNodeBinary(
  given: string | undefined,
  options: NodeBinaryOptions,
): Promise<NodeBinary> {
  const name = given ?? process.execPath;
  const path = await realpath(resolve(options.cwd, name)).catch((cause: Error) => {
    throw bad(name, `it can't be read (${cause.message})`, { cause });
  });
  const { format, builds } = readFile(path, name);
  const problem = formatProblem(format);
  if (problem !== undefined) throw bad(name, problem);
  const scan = await scanNode(path);
  checkFuse(scan, name);
  const reported = await reportedVersion(path, options);
  const version = reported ?? scan.version;
  const builtFor = builds.map((build) => `${build.platform} on ${build.arch}`).join(", ");
  checkVersion(version, reported !== undefined, builtFor, name);
  return {
    path,
    version,
    runsHere: reported !== undefined,
    isMachO: format === "mach-o",
    bytes: scan.bytes,
  };
}

function readFile(path: string, name: string): Executable {
  try {
    return readExecutable(path);
  } catch (cause) {
    throw bad(name, `it can't be read (${(cause as Error).message})`, { cause });
  }
}

function formatProblem(format: Executable["format"]): string | undefined {
  switch (format) {
    case "elf":
      return undefined;
    case "mach-o":
      return process.platform === "darwin"
        ? undefined
        : "it is one for macOS, where a program starts only when it was signed after the injection, with codesign: pack it on a Mac";
    case "pe":
      return "it is one for Windows, where no worker of Airflow runs";
    case "script":
      return "it is a script that starts Node.js (of a version manager?), not Node.js itself";
    default:
      return "it is no program";
  }
}

function checkFuse({ unblown, blown }: NodeScan, name: string): void {
  if (blown > 0) throw bad(name, "it carries a program already");
  if (unblown === 1) return;
  throw bad(
    name,
    unblown === 0
      ? "there is no place for a program in it: it is no Node.js of version 20 or newer, was built without single executables, or has its code in a library (libnode.so)"
      : `there are ${unblown} places for a program in it, which the injection does not take`,
  );
}

/** Undefined where it does not run here. */
async function reportedVersion(
  path: string,
  { cwd, env, signal }: NodeBinaryOptions,
): Promise<string | undefined> {
  const childEnv = { ...buildChildEnvironment({ parent: env }), NODE_OPTIONS: "" };
  const run = {
    cwd,
    env: childEnv,
    timeoutMs: 30_000,
    ...(signal === undefined ? {} : { signal }),
  };
  const { why, stdout } = await runTool([path, "--version"], run);
  return why === "" ? /^v(\d+\.\d+\.\d+)/.exec(stdout)?.[1] : undefined;
}

function checkVersion(
  version: string | undefined,
  runsHere: boolean,
  builtFor: string,
  name: string,
): asserts version is string {
  if (version === undefined) {
    throw bad(
      name,
      `it does not run here (it is one for ${builtFor}) and does not tell its version`,
    );
  }
  if (runsHere || version === process.versions.node) return;
  throw bad(
    name,
    `it is Node.js ${version} for ${builtFor} and does not run here, so the program has to be prepared by a Node.js of the same version; this is ${process.versions.node}. ` +
      `Run parlance with Node.js ${version}, or take a binary of ${process.versions.node}`,
  );
}

function bad(name: string, why: string, options?: ErrorOptions): CliError {
  const message = `Cannot make a single executable of ${name}: ${why}. ${HINT}`;
  return new CliError("bad-node-binary", message, ExitCode.badInput, { path: name }, options);
}
