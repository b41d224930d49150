import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findPeer, temporaryFolder } from "@parlance/test-kit";
import { runShell, type ShellRun } from "../../support/run-shell.ts";
import type { GuidePage } from "./guide-pages.ts";

const REPOSITORY = fileURLToPath(new URL("../../../../", import.meta.url));
const CLI = join(REPOSITORY, "packages/cli/bin/parlance.js");
/** What pages import, as it is installed here. */
const PACKAGES = ["pino", "winston", "winston-transport", "@opentelemetry", "@types"];
/** For `parlance types`, where the machine has no other. */
const PYTHON = findPeer("airflow-3.3.2");
/** What `npx` starts here: it would take its time itself, and ask the registry. */
const NPX = `#!/bin/sh
tool=$1
shift
case $tool in
  parlance) exec "${process.execPath}" "${CLI}" "$@" ;;
  tsc) exec "${process.execPath}" "${join(REPOSITORY, "node_modules/typescript/bin/tsc")}" "$@" ;;
esac
echo "the tests know no npx $tool" >&2
exit 127
`;

/** One block of commands: what came, and what the page says. */
export interface FollowedStep {
  /** Where in the page, for messages. */
  readonly place: string;
  readonly code: number | null;
  readonly promisedCode: number;
  readonly stdout: readonly string[];
  readonly promisedStdout: readonly string[] | undefined;
  readonly stderr: readonly string[];
  readonly promisedLogs: readonly string[];
}

/** Makes the project of a page in a folder of its own, and runs the page's commands there one by one. */
export async function followPage(page: GuidePage): Promise<readonly FollowedStep[]> {
  const folder = makeProject(page);
  const steps: FollowedStep[] = [];
  for (const [index, { kind, rest, text, line }] of page.blocks.entries()) {
    if (kind !== "run") continue;
    const { code, stdout, stderr } = await shell(text, folder);
    const after = page.blocks.slice(index + 1);
    const end = after.findIndex((block) => block.kind === "run");
    const about = end < 0 ? after : after.slice(0, end);
    const textOf = (wanted: string) => about.find((block) => block.kind === wanted)?.text;
    const prints = textOf("prints");
    steps.push({
      place: `${page.path}:${line}`,
      code,
      promisedCode: Number(/^exit (\d+)$/.exec(rest ?? "exit 0")?.[1]),
      stdout: linesOf(stdout),
      promisedStdout: prints === undefined ? undefined : linesOf(prints),
      stderr: linesOf(stderr),
      promisedLogs: linesOf(textOf("logs") ?? ""),
    });
  }
  return steps;
}

function makeProject({ name, blocks }: GuidePage): string {
  const folder = temporaryFolder(`parlance-guide-${name}`);
  write(folder, "package.json", '{ "type": "module" }\n');
  for (const { kind, rest, text } of blocks) {
    if (kind === "file") write(folder, rest ?? "", text);
  }
  mkdirSync(join(folder, "node_modules/@parlance"), { recursive: true });
  symlinkSync(
    join(REPOSITORY, "packages/sdk-node"),
    join(folder, "node_modules/@parlance/sdk-node"),
  );
  for (const name of PACKAGES) {
    symlinkSync(
      join(REPOSITORY, "integration/node_modules", name),
      join(folder, "node_modules", name),
    );
  }
  write(folder, ".bin/npx", NPX);
  chmodSync(join(folder, ".bin/npx"), 0o755);
  return folder;
}

function write(folder: string, name: string, text: string): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function shell(script: string, cwd: string): Promise<ShellRun> {
  const path = [join(cwd, ".bin"), dirname(process.execPath), process.env["PATH"]];
  if ("path" in PYTHON) path.push(dirname(PYTHON.path));
  const env = { ...process.env, PATH: path.join(delimiter), NO_COLOR: "1" };
  return runShell(script, { cwd, env, flags: "-eu" });
}

/** Without times, at both ends and behind the name of a task, and with one space for many. */
function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/^(\s*(?:[\w.[\]-]+ )?)\d\d:\d\d:\d\d\.\d{3} /, "$1"))
    .map((line) => line.replace(/ +\S+ m?s$| +\d+ m?s(?= {2})/, ""))
    .map((line) => line.trim().replace(/ +/g, " "))
    .filter((line) => line !== "");
}
