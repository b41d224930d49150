import { isUtf8 } from "node:buffer";
import { resolve } from "node:path";
import { type BundleReport, metadataToJson, readBundle, readSources } from "@parlance/bundle";
import { SCHEMA_VERSIONS } from "@parlance/protocol/schema-version";
import { CliError, ExitCode } from "../errors.ts";
import { type CommandIo, write, writeJson } from "../io.ts";
import { withBundleErrors } from "./with-bundle-errors.ts";

/** Flags of `parlance bundle inspect`. */
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
    regions: regions ?? report.nodeLayout,
    metadata: metadata === null ? null : metadataToJson(metadata),
    verified,
    problems: problems.map(({ code, message }) => ({ code, message })),
  };
}

/** Without `--json` the bytes as they are, one file after the other. */
async function printSource(report: BundleReport, asJson: boolean, io: CommandIo): Promise<void> {
  if (report.regions === null && report.nodeLayout === null) {
    const [problem] = report.problems;
    const { code, message } = problem ?? { code: "no-footer", message: "It is no bundle." };
    throw new CliError(code, message, ExitCode.badInput, { path: report.path });
  }
  const sources = readSources(report);
  if (!asJson) {
    for (const { data } of sources) await write(io.stdout, data);
    return;
  }
  const files = sources.map(({ path, data }) => {
    const bytes = Buffer.from(data);
    const content = isUtf8(bytes) ? { text: bytes.toString() } : { hex: bytes.toString("hex") };
    return { path, length: bytes.length, ...content };
  });
  await writeJson(io.stdout, { sources: files });
}
