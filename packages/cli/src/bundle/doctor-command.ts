import { resolve } from "node:path";
import { type DoctorProblem, type DoctorReport, examineRoots } from "@parlance/bundle";
import { ExitCode } from "../errors.ts";
import { type CommandIo, write, writeJson } from "../io.ts";
import { escapeControls } from "../terminal-text.ts";
import { withBundleErrors } from "./with-bundle-errors.ts";

/** Flags of `parlance bundle doctor`. */
export interface DoctorCommandOptions {
  readonly root: readonly string[];
  readonly airflow: "3.3" | "3.4";
  readonly platform?: string;
  readonly arch?: string;
  readonly path?: string;
  readonly json?: boolean;
}

/** Prints what Airflow makes of every file; exit code 1 when something should be mended. */
export async function doctorCommand(options: DoctorCommandOptions, io: CommandIo): Promise<void> {
  const report = await withBundleErrors(io, () =>
    examineRoots({
      roots: options.root.map((root) => resolve(io.cwd, root)),
      airflow: options.airflow,
      platform: options.platform,
      arch: options.arch,
      searchPath: options.path ?? io.env["PATH"],
      signal: io.signal,
    }),
  );
  const isWell = report.problems.every(({ severity }) => severity === "note");
  if (!isWell) io.setExitCode(ExitCode.failed);
  if (options.json === true) return writeJson(io.stdout, { ok: isWell, ...report });
  await write(io.stdout, `${describe(report).map(escapeLine).join("\n")}\n`);
  if (report.asRoot) {
    await write(
      io.stderr,
      "Run as root, which may read and run all: run it as the user of Airflow to see what that user may not.\n",
    );
  }
}

function escapeLine(line: string): string {
  return escapeControls(line);
}

function describe({ airflow, files, dags, problems }: DoctorReport): readonly string[] {
  const lines = [`Airflow ${airflow}: ${count(files, "file")}, ${count(dags.length, "Dag")}`];
  for (const { dagId, coordinator, path, schemaVersion } of dags) {
    lines.push(`${dagId}: ${path} (${coordinator}, ${schemaVersion})`);
  }
  const byPath = new Map<string, DoctorProblem[]>();
  for (const problem of problems) {
    byPath.set(problem.path, [...(byPath.get(problem.path) ?? []), problem]);
  }
  for (const [path, list] of byPath) {
    lines.push("", path);
    for (const { severity, code, message, mend, command } of list) {
      lines.push(`  ${severity} [${code}] ${message}`, `    ${mend}`);
      if (command !== null) lines.push(`    $ ${command}`);
    }
  }
  const wrong = problems.filter(({ severity }) => severity !== "note").length;
  lines.push("", wrong === 0 ? "Nothing has to be mended." : `${count(wrong, "thing")} to mend.`);
  return lines;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
