import { cpSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@parlance/test-kit";
import { runShell } from "../../support/run-shell.js";

const RUNTIMES = fileURLToPath(new URL("../../../../examples/runtimes/", import.meta.url));
const CLI = fileURLToPath(new URL("../../../../packages/cli/bin/parlance.js", import.meta.url));

/** A copy of an example whose README was followed to its end. */
export interface FollowedExample {
  /** The copy. */
  readonly folder: string;
  readonly code: number | null;
  /** Without times, and with one space for many. */
  readonly stdout: readonly string[];
  readonly stderr: string;
  /** What the README says that stdout is. */
  readonly promised: readonly string[];
}

/**
 * Copies an example of `examples/runtimes` and runs the commands of its README there.
 *
 * @param tool - the peer that it is built with, found by its name on PATH
 */
export async function followReadme(name: "go" | "java", tool: string): Promise<FollowedExample> {
  const folder = join(temporaryFolder(`parlance-${name}`), name);
  const isBuilt = /\/(?:target|build)$/;
  cpSync(join(RUNTIMES, name), folder, { recursive: true, filter: (path) => !isBuilt.test(path) });
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)];
  const textOf = (language: string): string =>
    blocks
      .filter(([, found]) => found === language)
      .map(([, , text]) => text)
      .join("\n");
  const script = textOf("sh")
    .replace(/^cd .*$/m, "")
    .replaceAll("npx parlance", `"${process.execPath}" "${CLI}"`);
  const path = `${dirname(tool)}${delimiter}${process.env["PATH"]}`;
  const ran = await runShell(script, { cwd: folder, env: { ...process.env, PATH: path } });
  return { folder, ...ran, stdout: linesOf(ran.stdout), promised: linesOf(textOf("")) };
}

/** Of what `run` prints: what `bundle pack` says of its file is left out. */
function linesOf(text: string): readonly string[] {
  const plain = text.replaceAll("\x1b[0m", ""); // Maven resets colours that it does not use
  const lines = plain.split("\n").filter((line) => line !== "" && !line.startsWith("Packed "));
  return lines.map((line) => line.replace(/ +\S+ m?s$/, "").replace(/(?<=\S) +/g, " "));
}
