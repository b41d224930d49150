import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  BundleError,
  dagIdsOf,
  type MetadataMap,
  readBundle,
  schemaVersionOf,
} from "@parlance/bundle";
import { type Capabilities, crossCheck, loadCases, type SuiteReport } from "@parlance/conformance";
import { CliError, ExitCode } from "../errors.ts";
import { type CommandIo, write, writeJson } from "../io.ts";
import { escapeControls } from "../terminal-text.ts";
import { readCapabilitiesFile } from "./read-file.ts";

/** The options of `parlance capabilities check`. */
export interface CheckCapabilitiesFlags {
  readonly bundle?: string;
  readonly report?: string;
  readonly json?: boolean;
}

interface Difference {
  readonly file: string;
  readonly message: string;
}

/**
 * Validates declarations, and holds them against a bundle and what the conformance kit saw.
 *
 * @throws CliError `bad-capabilities`, `cannot-read`, `bad-report` (65)
 */
export async function checkCapabilities(
  files: readonly string[],
  flags: CheckCapabilitiesFlags,
  io: CommandIo,
): Promise<void> {
  const differences: Difference[] = [];
  const checked: string[] = [];
  for (const file of files) {
    const capabilities = await readCapabilitiesFile(file, io);
    checked.push(file);
    if (flags.bundle !== undefined) {
      differences.push(...(await againstBundle(file, capabilities, resolve(io.cwd, flags.bundle))));
    }
    if (flags.report !== undefined) {
      differences.push(...againstReport(file, capabilities, await readReport(flags.report, io)));
    }
  }
  if (flags.json === true) await writeJson(io.stdout, { checked, differences });
  else await write(io.stdout, asText(checked, differences));
  if (differences.length > 0) io.setExitCode(ExitCode.failed);
}

async function againstBundle(
  file: string,
  { supervisorSchemaVersion }: Capabilities,
  path: string,
): Promise<Difference[]> {
  const report = await readBundle(path).catch((error: unknown) => {
    if (!(error instanceof BundleError)) throw error;
    throw new CliError(error.code, error.message, ExitCode.badInput, { file: path });
  });
  const { metadata } = report;
  if (!report.verified || metadata === null) {
    const [problem] = report.problems;
    return [{ file, message: `the bundle can't be read: ${problem?.message ?? "not verified"}` }];
  }
  const version = declaredVersion(metadata);
  const dags = dagIdsOf(metadata);
  const differences: Difference[] = [];
  if (version !== supervisorSchemaVersion) {
    const message = `declares schema version ${supervisorSchemaVersion}, the bundle says ${version ?? "none"}`;
    differences.push({ file, message });
  }
  if (dags.length === 0) differences.push({ file, message: "the bundle holds no Dag" });
  return differences;
}

/** Undefined for metadata that names none. */
function declaredVersion(metadata: MetadataMap): string | undefined {
  try {
    return schemaVersionOf(metadata);
  } catch {
    return undefined;
  }
}

type ReadReport = Pick<SuiteReport, "cases">;

function againstReport(
  file: string,
  capabilities: Capabilities,
  { cases }: ReadReport,
): Difference[] {
  const known = new Map(loadCases().map((one) => [one.id, one]));
  const verdicts = cases.flatMap(({ id, outcome }) => {
    const one = known.get(id);
    if (one === undefined) return [];
    return [{ case: one, outcome: outcome === "known-failing" ? ("failed" as const) : outcome }];
  });
  return crossCheck(capabilities, verdicts)
    .filter(({ kind }) => kind !== "declared-but-not-tested")
    .map(({ dimension, kind, cases: ids }) => ({
      file,
      message: `${dimension} is ${kind.replaceAll("-", " ")}: ${ids.join(", ")}`,
    }));
}

async function readReport(name: string, io: CommandIo): Promise<ReadReport> {
  try {
    const report = JSON.parse(await readFile(resolve(io.cwd, name), "utf8")) as Partial<ReadReport>;
    if (!Array.isArray(report.cases)) throw new Error("it has no list of cases");
    return { cases: report.cases };
  } catch (cause) {
    const message = `${name} is no JSON report of parlance conformance: ${(cause as Error).message}`;
    throw new CliError("bad-report", message, ExitCode.badInput, { file: name }, { cause });
  }
}

function asText(checked: readonly string[], differences: readonly Difference[]): string {
  return checked
    .flatMap((file) => {
      const own = differences.filter((one) => one.file === file);
      if (own.length === 0) return [`${file}: valid`];
      return own.map(({ message }) => `${file}: ${escapeControls(message)}`);
    })
    .map((line) => `${line}\n`)
    .join("");
}
