import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  buildReport,
  type ConformanceCase,
  htmlReport,
  type KnownFailing,
  KnownFailingError,
  loadCases,
  markdownReport,
  readKnownFailing,
  runSuite,
  type SuiteReport,
  type Tier,
  terminalReport,
} from "@parlance/conformance";
import type { SchemaVersion } from "@parlance/protocol";
import { readCapabilitiesFile } from "../capabilities/read-file.ts";
import { CliError, ExitCode, usageError } from "../errors.ts";
import { type CommandIo, write, writeJson } from "../io.ts";
import { ownVersion } from "../own-version.ts";
import { replaceFile } from "../replace-file.ts";
import { signalExitCode } from "../signal-exit-code.ts";
import { ProgressLine } from "./progress-line.ts";

/** The options of `parlance conformance`. */
export interface ConformanceFlags {
  readonly level: Tier;
  readonly case: readonly string[];
  readonly schemaVersion?: SchemaVersion;
  readonly capabilities?: string;
  readonly bundle?: string;
  readonly all?: boolean;
  readonly knownFailing?: string;
  readonly report?: "json" | "md" | "html";
  readonly out?: string;
  readonly jobs?: number;
  readonly list?: boolean;
  readonly json?: boolean;
}

/**
 * Runs the cases of the kit against a runtime and reports.
 *
 * @throws CliError `usage` (2); `bad-capabilities`, `bad-known-failing`, `cannot-read` (65);
 *   `cannot-write` (1)
 */
export async function conformanceCommand(
  argv: readonly string[],
  flags: ConformanceFlags,
  io: CommandIo,
): Promise<void> {
  const cases = chooseCases(flags.case);
  if (flags.list === true) return await listCases(cases, flags, io);
  if (argv.length === 0) throw usageError("conformance: give the runtime's command line behind --");
  if (flags.out !== undefined && flags.report === undefined) {
    throw usageError("conformance: --out needs --report json, md or html");
  }
  const capabilities =
    flags.capabilities === undefined
      ? undefined
      : await readCapabilitiesFile(flags.capabilities, io);
  const knownFailing = await readKnown(flags.knownFailing, io);
  const startedAt = new Date();
  const started = performance.now();
  const progress = new ProgressLine(io);
  const isDeclared =
    capabilities &&
    ((name: string): boolean => capabilities.dimensions.get(name)?.supported === true);
  const verdicts = await runSuite({
    runtime: { argv, cwd: io.cwd, bundle: flags.bundle },
    cases,
    versions: flags.schemaVersion && [flags.schemaVersion],
    isDeclared,
    all: flags.all,
    jobs: flags.jobs,
    signal: io.signal,
    onVerdict: (verdict, done, all) => progress.show(verdict, done, all),
  });
  progress.clear();
  if (io.signal.aborted) return io.setExitCode(signalExitCode(io));
  const seconds = (performance.now() - started) / 1_000;
  const kit = await ownVersion();
  const { level } = flags;
  const report = buildReport({
    kit,
    argv,
    startedAt,
    seconds,
    level,
    verdicts,
    knownFailing,
    capabilities,
    partial: flags.case.length > 0 || flags.schemaVersion !== undefined,
  });
  await publish(report, flags, io);
  io.setExitCode(report.passed ? ExitCode.ok : ExitCode.failed);
}

function chooseCases(wanted: readonly string[]): readonly ConformanceCase[] {
  const cases = loadCases();
  if (wanted.length === 0) return cases;
  for (const id of wanted) {
    if (cases.some((one) => fits(one.id, id))) continue;
    const [room] = id.split("/");
    const near = cases.filter((one) => one.id.startsWith(`${room}/`)).map((one) => one.id);
    const hint = near.length === 0 ? "" : `; there are ${near.slice(0, 8).join(", ")}`;
    throw usageError(
      `conformance: there is no case ${JSON.stringify(id)}${hint}. --list prints all`,
    );
  }
  return cases.filter((one) => wanted.some((id) => fits(one.id, id)));
}

const fits = (id: string, wanted: string): boolean =>
  id === wanted || id.startsWith(`${wanted.replace(/\/\*?$/, "")}/`);

async function listCases(
  cases: readonly ConformanceCase[],
  flags: ConformanceFlags,
  io: CommandIo,
): Promise<void> {
  const rows = cases.map(({ id, tier, title, proves, versions }) => ({
    id,
    tier,
    title,
    proves,
    versions,
  }));
  if (flags.json === true) return await writeJson(io.stdout, rows);
  const width = Math.max(...rows.map(({ id }) => id.length));
  const lines = rows.map(
    ({ id, tier, title }) => `${id.padEnd(width)}  ${tier.padEnd(6)}  ${title}`,
  );
  await write(io.stdout, `${lines.join("\n")}\n`);
}

async function readKnown(file: string | undefined, io: CommandIo): Promise<KnownFailing> {
  if (file === undefined) return new Set();
  let text: string;
  try {
    text = await readFile(resolve(io.cwd, file), "utf8");
  } catch (cause) {
    const message = `Cannot read ${file}: ${(cause as Error).message}`;
    throw new CliError("cannot-read", message, ExitCode.badInput, { file }, { cause });
  }
  try {
    return readKnownFailing(
      text,
      loadCases().map(({ id }) => id),
    );
  } catch (cause) {
    if (!(cause instanceof KnownFailingError)) throw cause;
    const message = `${file}: ${cause.message}`;
    throw new CliError("bad-known-failing", message, ExitCode.badInput, { file }, { cause });
  }
}

async function publish(report: SuiteReport, flags: ConformanceFlags, io: CommandIo): Promise<void> {
  const text = flags.report === undefined ? undefined : render(report, flags.report);
  if (text !== undefined && flags.out !== undefined) {
    await replaceFile(resolve(io.cwd, flags.out), text);
  }
  if (flags.json === true) await writeJson(io.stdout, report);
  else if (text !== undefined && flags.out === undefined) await write(io.stdout, text);
  else await write(io.stdout, terminalReport(report));
}

function render(report: SuiteReport, format: "json" | "md" | "html"): string {
  if (format === "html") return htmlReport(report);
  return format === "md" ? markdownReport(report) : `${JSON.stringify(report)}\n`;
}
