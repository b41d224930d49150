import { isUtf8 } from "node:buffer";
import { resolve } from "node:path";
import { type BundleReport, metadataToJson, readBundle, readRegion } from "@parlance/bundle";
import { SCHEMA_VERSIONS } from "@parlance/protocol";
import { CliError, ExitCode } from "../errors.ts";
import { type CommandIo, write, writeJson } from "../io.ts";
import { withBundleErrors } from "./bundle-failure.ts";

export interface InspectOptions {
  readonly source?: boolean;
  readonly json?: boolean;
}

/** Prints a bundle's report, or its source; exit code 65 unless it is verified. */
export async function inspectCommand(
  file: string,
  options: InspectOptions,
  io: CommandIo,
): Promise<void> {
  const path = resolve(io.cwd, file);
  await withBundleErrors(io, async () => {
    const report = await readBundle(path, { knownSchemaVersions: SCHEMA_VERSIONS });
    if (options.source === true) await printSource(report, options.json === true, io);
    else await writeJson(io.stdout, reportToJson(report));
    if (!report.verified) io.setExitCode(ExitCode.badInput);
  });
}

function reportToJson(report: BundleReport): unknown {
  const { format, footer, regions, metadata, verified, problems } = report;
  return {
    format,
    footer,
    regions,
    metadata: metadata === null ? null : metadataToJson(metadata),
    verified,
    problems: problems.map(({ code, message }) => ({ code, message })),
  };
}

async function printSource(report: BundleReport, asJson: boolean, io: CommandIo): Promise<void> {
  const { regions, path } = report;
  if (regions === null) {
    const [problem] = report.problems;
    throw new CliError(
      problem?.code ?? "no-footer",
      problem?.message ?? "There is no source region.",
      ExitCode.badInput,
      { path },
    );
  }
  if (!asJson) return write(io.stdout, readRegion(path, regions.source));
  const { offset, length } = regions.source;
  const name = report.metadata?.get("source");
  const whole = { path: typeof name === "string" ? name : null, offset: 0, length };
  const files = report.sources ?? (length === 0 ? [] : [whole]);
  const sources = files.map((file) => {
    const bytes = readRegion(path, { offset: offset + file.offset, length: file.length });
    const content = Buffer.from(bytes);
    return {
      ...file,
      ...(isUtf8(bytes) ? { text: content.toString() } : { hex: content.toString("hex") }),
    };
  });
  await writeJson(io.stdout, { sources });
}
